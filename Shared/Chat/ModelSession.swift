package import FunctionRuntime
import JSONCoding
import Logging
package import Providers
package import RPCStatus

/// Asks a model for one invocation, and takes no answer that can't be used.
package struct ModelSession: Sendable {
  /// An answer that passed every check.
  package struct Answer<Output: Sendable>: Sendable {
    package var output: Output
    /// The model that gave it, as the provider names it.
    package var engine: String
  }

  /// How often a model is asked for one answer. An answer that is no good is asked for again, with
  /// what was wrong.
  private static let maximumAttempts = 2

  private let model: any LanguageModel
  private let context: FunctionContext

  package init(_ model: any LanguageModel, context: FunctionContext) {
    self.model = model
    self.context = context
  }

  /// Asks until an answer has the prompt's shape and a meaning.
  ///
  /// - Parameter problem: what is wrong with an answer of the right shape, in words that repeat
  ///   nothing of it; nil if nothing is.
  /// - Throws:
  ///   - `FAILED_PRECONDITION` if the model declined: it will again.
  ///   - `UNAVAILABLE`, `RESOURCE_EXHAUSTED`, "AI temporarily unavailable": it is down, over its
  ///     quota, too slow, or gave no usable answer.
  ///   - `DEADLINE_EXCEEDED` if the invocation's own time is up.
  ///   - a configuration error for our key, model or address.
  package func answer<Output: Decodable & Sendable>(
    _ prompt: Prompt,
    as type: Output.Type = Output.self,
    problem: @Sendable (Output) -> String?
  ) async throws(StatusError) -> Answer<Output> {
    var prompt = prompt
    for _ in 1...Self.maximumAttempts {
      let completion = try await complete(prompt)
      switch completion.ending {
      case .answered(let data):
        guard let output = try? JSON.decode(type, from: data, what: "the answer") else {
          throw StatusError(.internal, "\(prompt.template.name) conforms to no \(type)")
        }
        guard let reason = problem(output) else {
          return Answer(output: output, engine: completion.engine)
        }
        prompt.correction = reason
      case .truncated: prompt.correction = "the answer was cut off"
      case .malformed(let reason): prompt.correction = reason
      case .refused:
        throw StatusError(.failedPrecondition, "the language model declined to answer")
      }
      context.logger.notice(
        "an answer was refused",
        metadata: [
          "prompt": "\(prompt.template.name)", "engine": "\(completion.engine)",
          "reason": "\(prompt.correction ?? "")",
        ]
      )
    }
    throw StatusError(.unavailable, "\(Self.unavailable): \(prompt.correction ?? "")")
  }

  private static let unavailable = "AI temporarily unavailable"

  private func complete(_ prompt: Prompt) async throws(StatusError) -> Completion {
    guard context.deadline > .now else { throw deadlineExceeded }
    context.record.record { $0.providerCalls += 1 }
    do throws(StatusError) {
      let completion = try await model.complete(prompt)
      context.record.record {
        $0.promptTokens += completion.promptTokens
        $0.completionTokens += completion.completionTokens
        $0.add(engine: completion.engine)
      }
      return completion
    } catch {
      guard error.fault == .request, error.code.isRetryable else { throw error }
      guard context.deadline > .now else { throw deadlineExceeded }
      // Our budget ran out, not the caller's deadline.
      let code = error.code == .deadlineExceeded ? .unavailable : error.code
      let reason =
        error.code == .deadlineExceeded ? "the language model took too long" : error.message
      throw StatusError(code, "\(Self.unavailable): \(reason)", retryAfter: error.retryAfter)
    }
  }

  private var deadlineExceeded: StatusError {
    StatusError(.deadlineExceeded, "\(Self.unavailable): the invocation's deadline has passed")
  }
}
