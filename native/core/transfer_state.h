#pragma once
// The five states of a transfer, with the numbers that ranks reduce with MIN: one Failed fails all.

#include <cstdint>

namespace pd {

enum class TransferState : std::uint8_t {
  failed = 0,
  bootstrapping = 1,
  waiting_for_input = 2,
  transferring = 3,
  success = 4,
};

constexpr bool is_terminal(TransferState state) {
  return state == TransferState::failed || state == TransferState::success;
}

const char* name_of(TransferState state);

}  // namespace pd
