package import Core

extension JSONValue {
  /// The content of a recording's file: indented, with sorted fields, so that diffs stay small.
  package var file: Data {
    get throws(StatusError) {
      guard let data = try? JSON.encodeIndented(self) else {
        throw StatusError(.internal, "the recording can't be encoded as JSON")
      }
      return data + [0x0A]
    }
  }

  /// Creates a value from a file's content.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the content isn't JSON.
  package init(file: Data) throws(StatusError) {
    do throws(StatusError) {
      self = try JSONValue(parsing: file)
    } catch {
      throw StatusError(.invalidArgument, "the file is not valid JSON")
    }
  }

  /// Checks the format version of a recording.
  ///
  /// - Throws: `UNIMPLEMENTED` if this value isn't the given version.
  package func checkVersion(_ version: Int) throws(StatusError) {
    guard wholeNumber == version else {
      throw StatusError(
        .unimplemented,
        "version \(line) is not supported: this emulator reads version \(version)"
      )
    }
  }
}
