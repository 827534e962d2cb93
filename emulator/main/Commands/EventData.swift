import Core
import FirestoreModel

/// The data of an event, from an option's argument: JSON, or the name of a file with JSON.
struct EventData {
  let json: JSONValue
  /// The option, with the file if there is one, for messages.
  let what: String

  /// Reads an option's argument.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the line and column at which the JSON is invalid, or if the
  ///   argument is neither JSON nor the name of a file that can be read.
  init(_ argument: String, option: String) throws(StatusError) {
    let path = argument.absolutePath(in: Executable.workingDirectory)
    let file = "\(option) \(argument)"
    guard let data = argument.isEmpty ? nil : try InputFile.read(path, what: file) else {
      what = option
      do throws(StatusError) {
        json = try JSON.parseSettings(Data(argument.utf8), what: option)
      } catch {
        // A text without a brace is probably a file's name.
        guard argument.contains(where: "{[\"".contains) else {
          throw StatusError(
            .invalidArgument,
            "\(option) \(quoted(argument)) is neither a file nor JSON, such as {\"name\":\"Ana\"}"
          )
        }
        throw error
      }
      return
    }
    what = file
    json = try JSON.parseSettings(data, what: file)
  }

  /// A Boolean value that indicates whether this is the field `data` of an event of a document,
  /// rather than a document's fields.
  var isPayload: Bool {
    guard let members = json.object,
      members.keys.allSatisfy({ ["value", "oldValue", "updateMask"].contains($0.string) })
    else { return false }
    return ["value", "oldValue"].contains { members[$0]?["name"]?.string != nil }
  }

  /// The fields of a document in plain JSON.
  var fields: Fields {
    get throws(StatusError) {
      try JSON.read(json, what: what) { try Value.plainFields(JSONValue(from: $0)) }
    }
  }
}
