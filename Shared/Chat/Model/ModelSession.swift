package import Core
package import FunctionRuntime
import Logging
package import Providers

/// Asks a model for one invocation, and takes no answer that can't be used.
package struct ModelSession: Sendable {
  /// What came of a question.
  package enum Outcome<Output: Sendable>: Sendable {
    /// An answer that passed every check, and the model that gave it, as the provider names it.
    case answer(Output, engine: String)
    /// The model said that it won't: it will again.
    case declined
    /// It gave no answer that can be used, however often it was asked, with what was wrong last.
    case unusable(reason: String)
    /// It gave no answer, and may give one later: it is down, over its quota, or too slow, or the
    /// invocation's own time is up. The error is "AI temporarily unavailable", with `UNAVAILABLE`,
    /// `RESOURCE_EXHAUSTED` or `DEADLINE_EXCEEDED`.
    case unavailable(StatusError)

    /// Whether there is no answer now and may be one later.
    package var mayChange: Bool {
      switch self {
      case .unusable, .unavailable: true
      case .answer, .declined: false
      }
    }

    /// The answer.
    ///
    /// - Throws: `FAILED_PRECONDITION` if it declined; `UNAVAILABLE`, "AI temporarily unavailable",
    ///   for an unusable one; the error of one that gave none.
    package func get() throws(StatusError) -> (output: Output, engine: String) {
      switch self {
      case .answer(let output, let engine): return (output, engine)
      case .declined: throw .modelDeclined
      case .unusable(let reason): throw .unusableAnswer(reason)
      case .unavailable(let error): throw error
      }
    }
  }

  /// How often a model is asked for one answer. An answer that is no good is asked for again, with
  /// what was wrong.
  private static let maximumAttempts = 2

  private let model: any LanguageModel
  private let context: FunctionContext
  private let prices: PriceTable
  private let spending: Spending?

  /// - Parameter spending: the limits; nil for none.
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

  /// Asks until an answer has the prompt's shape and a meaning.
  ///
  /// - Parameters:
  ///   - onText: gets all there is of an answer's JSON, each time it has grown, unchecked; it begins
  ///     anew with each time the model is asked. It must not take long.
  ///   - problem: what is wrong with an answer of the right shape, in words that repeat nothing of
  ///     it; nil if nothing is.
  /// - Throws:
  ///   - `UNAVAILABLE`, `RESOURCE_EXHAUSTED`, "AI temporarily unavailable": a limit of ours is
  ///     reached, or nothing can be counted.
  ///   - `FAILED_PRECONDITION` if the prompt is too long for the model.
  ///   - a configuration error for our key, model or address.
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
      var error = error
      error.message = "\(unavailable): \(error.message)"
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
          throw StatusError(.internal, "\(prompt.template.name) conforms to no \(type)")
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
        "an answer was refused",
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
          "the model's server is asked otherwise from now on",
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
      context.logger.warning("the model gave no answer", metadata: ["error": "\(error.message)"])
      let reason: String
      var code = error.code
      switch error.code {
      case .deadlineExceeded:
        // Our budget ran out, not the caller's deadline.
        code = .unavailable
        reason = "the language model took too long"
      case .unavailable where error.message.contains("://"):
        // A caller is not told where the model is.
        reason = "the language model can't be reached"
      default: reason = error.message
      }
      throw StatusError(code, "\(unavailable): \(reason)", retryAfter: error.retryAfter)
    }
  }

  /// Whether the invocation has time to ask and to write down what came of it.
  private var hasTime: Bool { context.deadline - ChatServices.reserve > .now }

  private var deadlineExceeded: StatusError {
    StatusError(.deadlineExceeded, "\(unavailable): the invocation's deadline has passed")
  }
}

/// What clients show people.
private let unavailable = "AI temporarily unavailable"

extension StatusError {
  /// The model gave no answer that can be used; another time it may.
  package static func unusableAnswer(_ reason: String) -> StatusError {
    StatusError(.unavailable, "\(unavailable): \(reason)")
  }

  /// Another invocation asks the same, and it takes too long.
  package static var modelIsBeingAsked: StatusError {
    StatusError(.unavailable, "\(unavailable): another invocation is waiting for the answer")
  }

  /// The model won't answer this question, now or later.
  package static var modelDeclined: StatusError {
    StatusError(.failedPrecondition, "the language model declined to answer")
  }
}
