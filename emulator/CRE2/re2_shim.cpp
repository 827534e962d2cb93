#include "re2_shim.h"

#include <re2/re2.h>

#include <string>
#include <vector>

struct re2_pattern {
  re2::RE2 expression;

  re2_pattern(re2::StringPiece text, const re2::RE2::Options &options)
      : expression(text, options) {}
};

re2_pattern *re2_compile(const char *pattern, size_t size, int64_t memory) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(memory);
  auto compiled = new re2_pattern(re2::StringPiece(pattern, size), options);
  if (compiled->expression.ok()) return compiled;
  delete compiled;
  return nullptr;
}

void re2_free(re2_pattern *pattern) { delete pattern; }

int re2_groups(const re2_pattern *pattern) {
  return pattern->expression.NumberOfCapturingGroups();
}

int re2_group(const re2_pattern *pattern, const char *name, size_t size) {
  const auto &groups = pattern->expression.NamedCapturingGroups();
  auto group = groups.find(std::string(name, size));
  return group == groups.end() ? -1 : group->second;
}

bool re2_matches(const re2_pattern *pattern, const char *text, size_t size) {
  return pattern->expression.Match(re2::StringPiece(text, size), 0, size, re2::RE2::ANCHOR_BOTH,
                                   nullptr, 0);
}

bool re2_find(const re2_pattern *pattern, const char *text, size_t size, size_t start,
              re2_range *ranges, int count) {
  if (start > size || count < 1) return false;
  std::vector<re2::StringPiece> groups(count);
  if (!pattern->expression.Match(re2::StringPiece(text, size), start, size, re2::RE2::UNANCHORED,
                                 groups.data(), count))
    return false;
  for (int index = 0; index < count; index++) {
    const char *data = groups[index].data();
    if (data == nullptr) {
      ranges[index] = {-1, -1};
    } else {
      ranges[index].start = data - text;
      ranges[index].end = ranges[index].start + static_cast<ptrdiff_t>(groups[index].size());
    }
  }
  return true;
}
