package import Core
import Delivery
import FunctionHost
import ProviderFakes

/// The outcome of an invocation, which a replay compares.
package struct ReplayOutcome: Sendable, Hashable {
  package var exitCode: Int32
  /// The result line without fields that vary between runs, or `nil` if there was none.
  package var reply: JSONValue?
  /// The reason why there was no result line.
  package var failure: String?
  /// The final fields of every changed document, by path; null for a deleted document.
  ///
  /// Times are truncated to milliseconds, because the order of simultaneous commits is random. The
  /// end of a lease is left out, because it depends on the function's duration.
  package var changes: JSONObject
  /// The partial results of a streamed call, in their order.
  package var partials: [JSONValue]

  init(
    _ result: InvocationResult,
    changes: JSONObject,
    partials: [JSONValue] = []
  ) {
    exitCode = result.exitCode
    self.partials = partials
    self.changes = Dictionary(
      uniqueKeysWithValues: changes.map { path, fields in
        (path, path.string.hasPrefix("leases/") ? fields.without("expiresAt") : fields)
      }
    )
    if let reply = try? JSONValue(parsing: result.line), reply.object != nil {
      self.reply = reply.settled
    } else {
      failure = result.error?.message ?? "the function printed no result"
    }
  }

  /// The status: `ok`, `skipped` or `error`.
  package var status: String { reply?["status"]?.string ?? "error" }

  /// The parts of the outcome that an invocation and its first replay must have in common.
  var kind: [String] {
    [String(exitCode), status, reply?["error"]?["code"]?.string ?? ""]
  }
}

extension JSONValue {
  fileprivate func without(_ member: String) -> JSONValue {
    guard var members = object else { return self }
    members[member] = nil
    return .object(members)
  }

  /// The result line without durations and IDs, and with sorted writes, because simultaneous writes
  /// have a random order.
  fileprivate var settled: JSONValue {
    guard var members = object else { return self }
    members["durationMs"] = nil
    members["latencyMs"] = nil
    members["messageLatencies"] = nil
    members["invocationId"] = nil
    if let writes = members["writes"]?.array {
      members["writes"] = .array(writes.sorted { $0.line < $1.line })
    }
    return .object(members)
  }
}

// MARK: JSON

extension ReplayOutcome {
  package var json: JSONValue {
    var members: JSONObject = [
      "exitCode": .integer(Int64(exitCode)), "changes": .object(changes),
    ]
    members["reply"] = reply
    if !partials.isEmpty { members["partials"] = .array(partials) }
    members["failure"] = failure.map(JSONValue.string)
    return .object(members)
  }

  /// Creates an outcome from its JSON.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of the missing or wrong field.
  init(_ json: JSONValue) throws(StatusError) {
    guard let exitCode = json["exitCode"]?.wholeNumber, (0...255).contains(exitCode) else {
      throw StatusError(.invalidArgument, "expected.exitCode is missing or not between 0 and 255")
    }
    guard let changes = json["changes"]?.object else {
      throw StatusError(.invalidArgument, "expected.changes is missing or not an object")
    }
    self.exitCode = Int32(exitCode)
    self.changes = changes
    partials = json["partials"]?.array ?? []
    guard json["partials"] == nil || !partials.isEmpty else {
      throw StatusError(.invalidArgument, "expected.partials is not a nonempty array")
    }
    reply = json["reply"]
    failure = json["failure"]?.string
    guard (reply?.object == nil) != (failure == nil) else {
      throw StatusError(
        .invalidArgument,
        "the field 'expected' must have either 'reply', an object, or 'failure', a string"
      )
    }
  }
}
