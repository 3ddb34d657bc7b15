#include "shim/run_record.h"

#include <charconv>

namespace pd {

namespace {

std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      out.append({'\\', each});
    } else if (byte < 0x20) {
      out.append("\\u00").append({digits[byte >> 4], digits[byte & 15]});
    } else {
      out.push_back(each);
    }
  }
  return out + "\"";
}

std::string identity_text(const Identity& identity) {
  return "{\"pid\":" + std::to_string(identity.pid) + ",\"startTicks\":" + std::to_string(identity.start_ticks) + "}";
}

std::string exit_text(const Exit& exit) {
  std::string out;
  if (exit.code) out += ",\"code\":" + std::to_string(*exit.code);
  if (exit.signal) out += ",\"signal\":" + quoted(*exit.signal);
  if (exit.words) out += ",\"words\":" + quoted(*exit.words);
  return "{" + (out.empty() ? out : out.substr(1)) + "}";
}

// Only for text of record_text: the marks stand there once, since a name holds no quotes.
std::optional<uint64_t> number_after(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  uint64_t value = 0;
  const char* begin = text.data() + at + mark.size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end == begin) return std::nullopt;
  return value;
}

bool named_lives(std::string_view text, std::string_view key) {
  const std::string mark = "\"" + std::string(key) + "\":{\"pid\":";
  const auto pid = number_after(text, mark);
  if (!pid) return false;
  const auto ticks = number_after(text.substr(text.find(mark)), "\"startTicks\":");
  return ticks && is_living({static_cast<pid_t>(*pid), *ticks});
}

}  // namespace

std::string record_text(const RunRecord& record) {
  std::string out = "{\"name\":" + quoted(record.name);
  out += ",\"generation\":" + std::to_string(record.generation);
  out += ",\"bootId\":" + quoted(record.boot);
  out += ",\"pidNamespace\":" + quoted(record.pid_space);
  out += ",\"shim\":" + identity_text(record.shim);
  if (record.child) out += ",\"child\":" + identity_text(*record.child);
  out += ",\"session\":" + std::to_string(record.session);
  out += ",\"beganUnixMs\":" + std::to_string(record.began_unix_ms);
  if (record.exit) out += ",\"exit\":" + exit_text(*record.exit);
  out += std::string(",\"empty\":") + (record.empty ? "true" : "false");
  out += ",\"droppedBytes\":" + std::to_string(record.dropped_bytes);
  return out + "}\n";
}

bool record_lives(std::string_view text) {
  // Numbers mean nothing after a reboot.
  if (text.find("\"bootId\":" + quoted(boot_id())) == std::string_view::npos) return false;
  return named_lives(text, "shim") || named_lives(text, "child");
}

}  // namespace pd
