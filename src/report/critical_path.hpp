// What decided how long a run took, in words.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "insight/critical_path.hpp"
#include "report/races.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// By line and reason, the most first.
std::string path_text(const Style& style, const RaceSites& sites, const insight::CriticalPath& path);
nlohmann::json path_json(const RaceSites& sites, const insight::CriticalPath& path);

}  // namespace tensim::report
