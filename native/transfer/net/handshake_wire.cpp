#include "transfer/net/handshake_wire.h"

#include <optional>

#include "transfer/net/bytes.h"
#include "transfer/net/framing.h"

namespace pd {
namespace {

enum class Kind : std::uint8_t { hello = 1, challenge, proof, refusal, shm_offer, shm_mapped };
static_assert(static_cast<std::size_t>(Kind::shm_mapped) == std::variant_size_v<HandshakeFrame>);

constexpr std::uint32_t magic = 0x564b4450;  // "PDKV"
constexpr std::size_t backends_max = 8;
constexpr std::size_t backend_bytes_max = 32;
constexpr std::size_t path_bytes_max = 256;

void write_body(ByteWriter& out, const Hello& body) {
  out.u64(body.incarnation);
  out.digest(body.fingerprint);
  out.text(body.fingerprint_words, words_bytes_max);
  out.u8(static_cast<std::uint8_t>(body.backends.size()));
  for (const std::string& backend : body.backends) out.text(backend, backend_bytes_max);
}
void write_body(ByteWriter& out, const Challenge& body) { out.digest(body.nonce); }
void write_body(ByteWriter& out, const Proof& body) { out.digest(body.mac); }
void write_body(ByteWriter& out, const Refusal& body) { out.text(body.words, words_bytes_max); }
void write_body(ByteWriter& out, const ShmOffer& body) {
  out.text(body.path, path_bytes_max);
  out.digest(body.nonce);
  out.u32(body.pages);
}
void write_body(ByteWriter&, const ShmMapped&) {}

Hello read_hello(ByteReader& in) {
  Hello body;
  if (in.u32() != magic) in.fail("does not begin as one");
  body.version = in.u16();
  if (body.version != protocol_version) {
    in.skip_rest();  // what follows is that version's affair
    return body;
  }
  body.incarnation = in.u64();
  if (body.incarnation == 0) in.fail("has no incarnation");
  body.fingerprint = in.digest();
  body.fingerprint_words = in.text(words_bytes_max);
  const std::uint8_t backends = in.u8();
  if (backends > backends_max) in.fail("names " + std::to_string(backends) + " back ends");
  for (std::size_t i = 0; i < backends && i < backends_max; ++i) body.backends.push_back(in.text(backend_bytes_max));
  return body;
}

HandshakeFrame read_frame(Kind kind, ByteReader& in) {
  switch (kind) {
    case Kind::hello: return read_hello(in);
    case Kind::challenge: return Challenge{in.digest()};
    case Kind::proof: return Proof{in.digest()};
    case Kind::refusal: return Refusal{in.text(words_bytes_max)};
    case Kind::shm_offer: return ShmOffer{.path = in.text(path_bytes_max), .nonce = in.digest(), .pages = in.u32()};
    case Kind::shm_mapped: return ShmMapped{};
  }
  in.fail("is of an unknown kind " + std::to_string(static_cast<int>(kind)));
  return ShmMapped{};
}

}  // namespace

std::vector<std::uint8_t> encode_handshake(const HandshakeFrame& frame, const Incarnations& incarnations) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(frame.index() + 1));
  if (const Hello* hello = std::get_if<Hello>(&frame)) {
    out.u32(magic);
    out.u16(hello->version);
  } else {
    out.u64(incarnations.from);
    out.u64(incarnations.to);
  }
  std::visit([&](const auto& body) { write_body(out, body); }, frame);
  return with_length(out.take());
}

std::variant<ReceivedHandshake, Malformed> decode_handshake(std::span<const std::uint8_t> payload) {
  ByteReader in(payload);
  const auto kind = static_cast<Kind>(in.u8());
  Incarnations incarnations;
  if (kind != Kind::hello) incarnations = {.from = in.u64(), .to = in.u64()};
  HandshakeFrame frame = read_frame(kind, in);
  if (const std::optional<std::string> fault = in.fault()) return Malformed{"frame of the handshake " + *fault};
  return ReceivedHandshake{incarnations, std::move(frame)};
}

}  // namespace pd
