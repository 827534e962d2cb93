package import Core

extension JSONValue {
  /// The content of a recording's file: members sorted, so that a change is a small difference.
  package var file: Data {
    get throws(StatusError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(self) else {
        throw StatusError(.internal, "a recording can't be encoded")
      }
      return data + [0x0A]
    }
  }

  /// - Throws: `INVALID_ARGUMENT` if it isn't JSON.
  package init(file: Data) throws(StatusError) {
    do throws(StatusError) {
      self = try JSONValue(parsing: file)
    } catch {
      throw StatusError(.invalidArgument, "it is not valid JSON")
    }
  }

  /// - Throws: `UNIMPLEMENTED` if this isn't the version of a recording's form that is read here.
  package func checkVersion(_ version: Int) throws(StatusError) {
    guard wholeNumber == version else {
      throw StatusError(
        .unimplemented,
        "version \(line) is not \(version), which this emulator reads"
      )
    }
  }
}
