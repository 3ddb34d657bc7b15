#include "core/transfer_state.h"

#include "core/check.h"

namespace pd {

const char* name_of(TransferState state) {
  switch (state) {
    case TransferState::failed: return "Failed";
    case TransferState::bootstrapping: return "Bootstrapping";
    case TransferState::waiting_for_input: return "WaitingForInput";
    case TransferState::transferring: return "Transferring";
    case TransferState::success: return "Success";
  }
  PD_CHECK(false, "a transfer state is one of the five");
}

}  // namespace pd
