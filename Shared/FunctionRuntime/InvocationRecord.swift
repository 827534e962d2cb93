package import JSONCoding
import Platform
import Synchronization

/// What an invocation has cost and changed so far; failures report it as well as successes.
package final class InvocationRecord: Sendable {
  /// Sums over the invocation. Costs are in millionths of a US dollar.
  package struct Usage: Sendable, Hashable {
    /// Names of the engines that answered, sorted: `nmt`, or the emulator's own.
    package var engines: [String] = []
    package var providerCalls = 0
    package var cacheHits = 0
    package var cacheMisses = 0
    /// Translations handed on, from the cache or new; nil if there are none. Of what the cache doesn't
    /// have, some may be refused.
    package var translationsServed: Int?
    package var charactersBilled = 0
    package var promptTokens = 0
    package var completionTokens = 0
    /// Of the engines whose price is known.
    package var costMicros = 0
    /// The engines that cost what nobody knows, sorted; nil if there are none.
    package var unpricedEngines: [String]?

    package init() {}

    package mutating func add(engine: String) {
      guard !engines.contains(engine) else { return }
      engines = (engines + [engine]).sorted()
    }

    package mutating func serve(translations count: Int) {
      guard count > 0 else { return }
      translationsServed = (translationsServed ?? 0) + count
    }

    /// - Parameter micros: nil if the engine's price isn't known.
    package mutating func charge(_ micros: Int?, by engine: String) {
      if let micros {
        costMicros += micros
      } else if unpricedEngines?.contains(engine) != true {
        unpricedEngines = ((unpricedEngines ?? []) + [engine]).sorted()
      }
    }
  }

  /// A document that was changed.
  package struct Write: Sendable, Hashable {
    package enum Operation: String, Sendable, Codable, JSONDecodable {
      case create, set, update, delete
    }

    /// Path below `documents/`.
    package var document: String
    package var operation: Operation

    package init(document: String, operation: Operation) {
      self.document = document
      self.operation = operation
    }
  }

  private struct State {
    var usage = Usage()
    var writes: [Write] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var usage: Usage { state.withLock(\.usage) }
  package var writes: [Write] { state.withLock(\.writes) }

  package func record(_ change: (inout Usage) -> Void) {
    state.withLock { change(&$0.usage) }
  }

  package func record(writes: [Write]) {
    state.withLock { $0.writes += writes }
  }
}

// MARK: JSON

extension InvocationRecord.Usage: JSONDecodable, JSONEncodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    engines = try json.requiredMember("engines", isStrict: isStrict)
    providerCalls = try json.requiredMember("providerCalls", isStrict: isStrict)
    cacheHits = try json.requiredMember("cacheHits", isStrict: isStrict)
    cacheMisses = try json.requiredMember("cacheMisses", isStrict: isStrict)
    translationsServed = try json.member("translationsServed", isStrict: isStrict)
    charactersBilled = try json.requiredMember("charactersBilled", isStrict: isStrict)
    promptTokens = try json.requiredMember("promptTokens", isStrict: isStrict)
    completionTokens = try json.requiredMember("completionTokens", isStrict: isStrict)
    costMicros = try json.requiredMember("costMicros", isStrict: isStrict)
    unpricedEngines = try json.member("unpricedEngines", isStrict: isStrict)
  }

  package var json: JSONValue {
    var members: JSONObject = [
      "engines": .array(engines.map(JSONValue.string)),
      "providerCalls": .integer(Int64(providerCalls)),
      "cacheHits": .integer(Int64(cacheHits)), "cacheMisses": .integer(Int64(cacheMisses)),
      "charactersBilled": .integer(Int64(charactersBilled)),
      "promptTokens": .integer(Int64(promptTokens)),
      "completionTokens": .integer(Int64(completionTokens)),
      "costMicros": .integer(Int64(costMicros)),
    ]
    members["translationsServed"] = translationsServed.map { .integer(Int64($0)) }
    members["unpricedEngines"] = unpricedEngines.map { .array($0.map(JSONValue.string)) }
    return .object(members)
  }
}

extension InvocationRecord.Write: JSONDecodable, JSONEncodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    document = try json.requiredMember("document", isStrict: isStrict)
    operation = try json.requiredMember("operation", isStrict: isStrict)
  }

  package var json: JSONValue {
    .object(["document": .string(document), "operation": .string(operation.rawValue)])
  }
}
