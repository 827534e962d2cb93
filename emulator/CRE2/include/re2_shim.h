#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
/// An exception, as of memory that can't be allocated, ends the program: it can't pass through Swift.
#define RE2_NOEXCEPT noexcept
#else
#define RE2_NOEXCEPT
#endif

/// A compiled regular expression of RE2. All functions but `re2_free` may be called at the same time.
typedef struct re2_pattern re2_pattern;

/// A part of a text, in bytes. `start` is -1 for a group that took no part in a match.
typedef struct {
  ptrdiff_t start;
  ptrdiff_t end;
} re2_range;

/// Compiles a pattern in UTF-8, which may contain NUL bytes.
///
/// Returns NULL if the pattern isn't valid or needs more than `memory` bytes.
re2_pattern *re2_compile(const char *pattern, size_t size, int64_t memory) RE2_NOEXCEPT;

void re2_free(re2_pattern *pattern) RE2_NOEXCEPT;

/// Returns the number of groups in parentheses.
int re2_groups(const re2_pattern *pattern) RE2_NOEXCEPT;

/// Returns the number of the group `(?P<name>…)`, or -1 if there is none.
int re2_group(const re2_pattern *pattern, const char *name, size_t size) RE2_NOEXCEPT;

/// Returns whether the pattern matches the whole text.
bool re2_matches(const re2_pattern *pattern, const char *text, size_t size) RE2_NOEXCEPT;

/// Finds the first match at or after `start`. Text before `start` counts for `^` and `\b`.
///
/// Writes the ranges of the match and of `count - 1` groups. Returns false if there is no match, or
/// if `start` is beyond the text.
bool re2_find(const re2_pattern *pattern, const char *text, size_t size, size_t start,
              re2_range *ranges, int count) RE2_NOEXCEPT;

#ifdef __cplusplus
}
#endif
