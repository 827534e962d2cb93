package import Core
import Delivery
import FunctionHost
import ProviderFakes

/// What came of an invocation: what a replay compares.
package struct ReplayOutcome: Sendable, Hashable {
  package var exitCode: Int32
  /// The result line, but for how long it took; nil if there was none.
  package var reply: JSONValue?
  /// Why there was no result line.
  package var failure: String?
  /// The fields of every document it changed, as they were at the end, by path; null if it is gone.
  /// Times are in whole milliseconds: below that it is chance which of two commits came first. When a
  /// lease ends is left out: it follows from how long the function took.
  package var changes: JSONObject
  /// What a caller who reads the result while it is made was told before its end, in order.
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
      failure = result.error?.message ?? "it printed no result"
    }
  }

  /// `ok`, `skipped` or `error`.
  package var status: String { reply?["status"]?.string ?? "error" }

  /// What must be the same of an invocation and of its first replay.
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

  /// A result line without what is never the same twice: how long it took, and in which order
  /// writes at the same time went through.
  fileprivate var settled: JSONValue {
    guard var members = object else { return self }
    members["durationMs"] = nil
    members["latencyMs"] = nil
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

  /// - Throws: `INVALID_ARGUMENT`, naming the member that is missing or wrong.
  init(_ json: JSONValue) throws(StatusError) {
    guard let exitCode = json["exitCode"]?.wholeNumber, (0...255).contains(exitCode) else {
      throw StatusError(.invalidArgument, "expected has no exitCode")
    }
    guard let changes = json["changes"]?.object else {
      throw StatusError(.invalidArgument, "expected has no changes")
    }
    self.exitCode = Int32(exitCode)
    self.changes = changes
    partials = json["partials"]?.array ?? []
    guard json["partials"] == nil || !partials.isEmpty else {
      throw StatusError(.invalidArgument, "expected.partials is no list of partial results")
    }
    reply = json["reply"]
    failure = json["failure"]?.string
    guard (reply?.object == nil) != (failure == nil) else {
      throw StatusError(.invalidArgument, "expected has not one of reply and failure")
    }
  }
}
