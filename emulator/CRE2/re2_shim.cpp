#include "re2_shim.h"

#include <re2/re2.h>

#include <string>
#include <vector>

#if __has_include(<re2/stringpiece.h>)
#include <re2/stringpiece.h>
using Piece = re2::StringPiece;
#else
#include <absl/strings/string_view.h>
using Piece = absl::string_view;
#endif

/// Returns a text as RE2 takes it. An empty text may have no address, which means "no match" to RE2.
static Piece piece(const char *text, size_t size) { return Piece(text == nullptr ? "" : text, size); }

struct re2_pattern {
  re2::RE2 expression;

  re2_pattern(Piece text, const re2::RE2::Options &options)
      : expression(text, options) {}
};

re2_pattern *re2_compile(const char *pattern, size_t size, int64_t memory) noexcept {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(memory);
  auto compiled = new re2_pattern(piece(pattern, size), options);
  if (compiled->expression.ok()) return compiled;
  delete compiled;
  return nullptr;
}

void re2_free(re2_pattern *pattern) noexcept { delete pattern; }

int re2_groups(const re2_pattern *pattern) noexcept {
  return pattern->expression.NumberOfCapturingGroups();
}

int re2_group(const re2_pattern *pattern, const char *name, size_t size) noexcept {
  const auto &groups = pattern->expression.NamedCapturingGroups();
  auto group = groups.find(std::string(name, size));
  return group == groups.end() ? -1 : group->second;
}

bool re2_matches(const re2_pattern *pattern, const char *text, size_t size) noexcept {
  return pattern->expression.Match(piece(text, size), 0, size, re2::RE2::ANCHOR_BOTH,
                                   nullptr, 0);
}

bool re2_find(const re2_pattern *pattern, const char *text, size_t size, size_t start,
              re2_range *ranges, int count) noexcept {
  if (start > size || count < 1) return false;
  Piece whole = piece(text, size);
  std::vector<Piece> groups(count);
  if (!pattern->expression.Match(whole, start, size, re2::RE2::UNANCHORED, groups.data(), count))
    return false;
  for (int index = 0; index < count; index++) {
    const char *data = groups[index].data();
    if (data == nullptr) {
      ranges[index] = {-1, -1};
    } else {
      ranges[index].start = data - whole.data();
      ranges[index].end = ranges[index].start + static_cast<ptrdiff_t>(groups[index].size());
    }
  }
  return true;
}
