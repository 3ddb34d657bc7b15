#include "core/role.h"

#include "core/check.h"

namespace pd {

const char* name_of(Role role) {
  switch (role) {
    case Role::prefill: return "prefill";
    case Role::decode: return "decode";
    case Role::both: return "both";
  }
  PD_CHECK(false, "a role is one of the enum");
}

}  // namespace pd
