#pragma once
// What must hold in every world, and what must become of it.

#include "transfer/support/world.h"

namespace pd {

// Writes the first violation into the world.
void check(World& world);

// Lets everything go on: deadlines fire, workers finish, cut links are noticed. Both sides must end and
// let go of their pages. Empty: they do.
std::string stall_of(World world, Rules rules);

}  // namespace pd
