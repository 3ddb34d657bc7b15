#pragma once

#include "engine/record.h"

namespace pd {

// The table of stages: where a request may go next. Finished and failed are terminal.
bool may_follow(Stage before, Stage after);

// The member of QueueCounts that counts this stage; nullptr for the terminal ones.
std::uint32_t* count_of(QueueCounts& queues, Stage stage);

}  // namespace pd
