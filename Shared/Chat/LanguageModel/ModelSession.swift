package import Core
package import FunctionRuntime
import Logging
package import Providers

/// The client of a language model for one invocation. It rejects unusable answers.
package struct ModelSession: Sendable {
  /// The outcome of a prompt.
  package enum Outcome<Output: Sendable>: Sendable {
    /// An answer that passed every check, and the model's name from the provider.
    case answer(Output, engine: String)
    /// A refusal by the model. A further request would be refused, too.
    case declined
    /// No usable answer after all attempts, with the problem of the last answer.
    case unusable(reason: String)
    /// No answer now, but maybe later: the model is down, over its quota or too slow, or the
    /// invocation's time is up.
    ///
    /// The error is "AI temporarily unavailable", with `UNAVAILABLE`, `RESOURCE_EXHAUSTED` or
    /// `DEADLINE_EXCEEDED`.
    case unavailable(StatusError)

    /// A Boolean value that indicates whether a later request may get an answer.
    package var mayChange: Bool {
      switch self {
      case .unusable, .unavailable: true
      case .answer, .declined: false
      }
    }

    /// Returns the answer.
    ///
    /// - Throws: `FAILED_PRECONDITION` if the model declined; `UNAVAILABLE`, "AI temporarily
    ///   unavailable", for an unusable answer; the error if there was no answer.
    package func get() throws(StatusError) -> (output: Output, engine: String) {
      switch self {
      case .answer(let output, let engine): return (output, engine)
      case .declined: throw .modelDeclined
      case .unusable(let reason): throw .unusableAnswer(reason)
      case .unavailable(let error): throw error
      }
    }
  }

  /// The maximum number of attempts at one answer. After a rejected answer, the prompt is sent
  /// again with the answer's problem.
  private static let maximumAttempts = 2

  private let model: any LanguageModel
  private let context: FunctionContext
  private let prices: PriceTable
  private let spending: Spending?

  /// Creates a session.
  ///
  /// - Parameter spending: the limits, or `nil` for none.
  package init(
    _ model: any LanguageModel,
    context: FunctionContext,
    prices: PriceTable = .standard,
    spending: Spending? = nil
  ) {
    self.model = model
    self.context = context
    self.prices = prices
    self.spending = spending
  }

  /// Sends a prompt until an answer has the right shape and passes the check.
  ///
  /// - Parameters:
  ///   - onText: a closure that receives the whole JSON of the answer so far, unchecked, each time
  ///     more has arrived. The JSON starts over with each attempt. The closure must return quickly.
  ///   - problem: a closure that returns the problem of an answer with the right shape, or `nil` if
  ///     there is none. The problem must not quote the answer.
  /// - Throws:
  ///   - `UNAVAILABLE` or `RESOURCE_EXHAUSTED`, "AI temporarily unavailable", if a limit of
  ///     `config/functions` is reached or counting fails.
  ///   - `FAILED_PRECONDITION` if the prompt is too long for the model.
  ///   - a configuration error for an invalid key, model or address.
  package func answer<Output: Decodable & Sendable>(
    _ prompt: Prompt,
    as type: Output.Type = Output.self,
    onText: (@Sendable (String) -> Void)? = nil,
    problem: @Sendable (Output) -> String?
  ) async throws(StatusError) -> Outcome<Output> {
    var prompt = prompt
    do throws(StatusError) {
      try await spending?.admit()
    } catch {
      guard error.fault == .request else { throw error }
      var error = error.asOutage
      error.message = "\(StatusError.outageMessage): \(error.message)"
      throw error
    }
    for _ in 1...Self.maximumAttempts {
      let completion: Completion
      do throws(StatusError) {
        completion = try await complete(prompt, onText)
      } catch {
        guard error.fault == .request, error.code.isRetryable else { throw error }
        return .unavailable(error)
      }
      switch completion.ending {
      case .answered(let data):
        guard let output = try? JSON.decode(type, from: data, what: "the answer") else {
          throw StatusError(
            .internal,
            "the schema of \(prompt.template.name) does not match \(type)"
          )
        }
        guard let reason = problem(output) else {
          return .answer(output, engine: completion.engine)
        }
        prompt.correction = reason
      case .truncated: prompt.correction = "the answer was cut off"
      case .malformed(let reason): prompt.correction = reason
      case .refused: return .declined
      }
      context.logger.notice(
        "answer rejected",
        metadata: [
          "prompt": "\(prompt.template.name)", "engine": "\(completion.engine)",
          "reason": "\(prompt.correction ?? "")",
        ]
      )
    }
    return .unusable(reason: prompt.correction ?? "")
  }

  private func complete(
    _ prompt: Prompt,
    _ onText: (@Sendable (String) -> Void)?
  ) async throws(StatusError) -> Completion {
    guard hasTime else { throw deadlineExceeded }
    context.record.record { $0.providerCalls += 1 }
    do throws(StatusError) {
      let completion = try await model.complete(prompt, onText: onText)
      let cost =
        completion.isCounted
        ? prices.cost(
          of: completion.engine,
          promptTokens: completion.promptTokens,
          cachedTokens: completion.cachedTokens,
          completionTokens: completion.completionTokens
        ) : nil
      if !completion.findings.isEmpty {
        context.logger.notice(
          "request format changed for the model's server",
          metadata: ["with": "\(completion.findings.joined(separator: ", "))"]
        )
      }
      context.record.record {
        $0.charge(cost, by: completion.engine)
        $0.promptTokens += completion.promptTokens
        $0.completionTokens += completion.completionTokens
        $0.add(engine: completion.engine)
      }
      await spending?.charge(cost)
      return completion
    } catch {
      guard error.fault == .request, error.code.isRetryable else { throw error }
      guard hasTime else { throw deadlineExceeded }
      context.logger.warning("model request failed", metadata: ["error": "\(error.message)"])
      let reason: String
      var code = error.code
      switch error.code {
      case .deadlineExceeded:
        // The budget for the model ran out, and the caller's deadline hasn't passed.
        code = .unavailable
        reason = "the language model took too long"
      case .unavailable where error.message.contains("://"):
        // The caller must not learn the model's address.
        reason = "the language model can't be reached"
      default: reason = error.message
      }
      throw .outage(code, reason, retryAfter: error.retryAfter)
    }
  }

  /// A Boolean value that indicates whether the invocation has time for a request and for writing
  /// its outcome.
  private var hasTime: Bool { context.deadline - ChatServices.reserve > .now }

  private var deadlineExceeded: StatusError {
    .outage(.deadlineExceeded, "the invocation's deadline has passed")
  }
}

extension StatusError {
  /// Returns the error for an unusable answer. A later attempt may succeed.
  package static func unusableAnswer(_ reason: String) -> StatusError {
    .outage(.unavailable, reason)
  }

  /// The error after a wait for another invocation that sent the same prompt.
  package static var modelIsBeingAsked: StatusError {
    .outage(.unavailable, "another invocation is waiting for the answer")
  }

  /// The error for a prompt that the model declines, now and later.
  package static var modelDeclined: StatusError {
    StatusError(.failedPrecondition, "the language model declined to answer")
  }
}
