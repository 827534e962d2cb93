// Prints for how many messages of a file (language, tab, text) CLD2 detects the right language.
// Needs Debian's libcld2-dev; `make evaluate-engines` builds and runs it where that is installed.

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <cld2/public/encodings.h>
#include <cld2/public/compact_lang_det.h>

static std::string detect(const std::string &text, int flags) {
  CLD2::CLDHints hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::Language languages[3];
  int percents[3], bytes;
  double scores[3];
  std::vector<CLD2::ResultChunk> *chunks = nullptr;
  bool reliable;
  auto language = CLD2::ExtDetectLanguageSummary(
      text.data(), text.size(), true, &hints, flags, languages, percents, scores, chunks, &bytes,
      &reliable);
  std::string code = CLD2::LanguageCode(language);
  return code == "zh-Hant" ? "zh" : code;
}

int main() {
  const int bestEffort = 0x4000;
  int total = 0, byDefault = 0, byEffort = 0;
  for (std::string line; std::getline(std::cin, line); total++) {
    auto tab = line.find('\t');
    auto language = line.substr(0, tab), text = line.substr(tab + 1);
    byDefault += detect(text, 0) == language;
    byEffort += detect(text, bestEffort) == language;
  }
  std::printf("CLD2: %d of %d by default (%.1f %%), %d by its best effort (%.1f %%)\n", byDefault,
              total, 100.0 * byDefault / total, byEffort, 100.0 * byEffort / total);
}
