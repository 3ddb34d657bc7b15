#pragma once
// The bodies of the frames, field by field.

#include "transfer/frame.h"
#include "transfer/net/bytes.h"

namespace pd {

void write_body(ByteWriter& out, const Present& body);
void write_body(ByteWriter& out, const Credit& body);
void write_body(ByteWriter& out, const Reserved& body);
void write_body(ByteWriter& out, const Source& body);
void write_body(ByteWriter& out, const Ready& body);
void write_body(ByteWriter& out, const Progress& body);
void write_body(ByteWriter& out, const Final& body);
void write_body(ByteWriter& out, const Committed& body);
void write_body(ByteWriter& out, const Done& body);
void write_body(ByteWriter& out, const Failed& body);
void write_body(ByteWriter& out, const Abort& body);
void write_body(ByteWriter& out, const Drained& body);

Key read_key(ByteReader& in);
Present read_present(ByteReader& in);
Reserved read_reserved(ByteReader& in);
Source read_source(ByteReader& in);
Ready read_ready(ByteReader& in);
Progress read_progress(ByteReader& in);
Final read_final(ByteReader& in);
Failed read_failed(ByteReader& in);

}  // namespace pd
