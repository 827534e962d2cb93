import Core

/// A response of Anthropic's Messages API that arrived as events.
///
/// Source: docs.anthropic.com/en/docs/build-with-claude/streaming.
struct StreamedMessage {
  private struct Event: Decodable {
    struct Message: Decodable {
      var model: ModelName?
      var usage: MessagesUsage?
    }

    struct Block: Decodable {
      var name: String?
    }

    struct Delta: Decodable {
      var partialJSON: String?
      var stopReason: String?

      private enum CodingKeys: String, CodingKey {
        case partialJSON = "partial_json"
        case stopReason = "stop_reason"
      }
    }

    var type: String
    var index: Int?
    var message: Message?
    var block: Block?
    var delta: Delta?
    var usage: MessagesUsage?

    private enum CodingKeys: String, CodingKey {
      case type, index, message, delta, usage
      case block = "content_block"
    }

    init?(_ data: Data) {
      guard let event = try? JSON.decode(Event.self, from: data, what: "an event") else {
        return nil
      }
      self = event
    }
  }

  private var model: ModelName?
  private var usage = MessagesUsage()
  private var stopReason: String?
  /// The name and the input of each tool use, by its index.
  private var tools: [Int: (name: String, input: String)] = [:]

  /// Returns the text that an event adds to the tool's input.
  ///
  /// There is one tool, and it must be used once.
  static func delta(_ data: Data) -> String? { Event(data)?.delta?.partialJSON }

  /// Creates a response from the body of a stream.
  ///
  /// - Throws: `UNAVAILABLE` if the provider broke off its answer.
  init(_ body: Data) throws(StatusError) {
    for event in EventStream.events(in: body).lazy.compactMap(Event.init) {
      guard event.type != "error" else { throw ModelProvider.brokenOff }
      model = event.message?.model ?? model
      if let later = event.message?.usage ?? event.usage { usage.merge(later) }
      stopReason = event.delta?.stopReason ?? stopReason
      guard let index = event.index else { continue }
      if let name = event.block?.name { tools[index] = (name, "") }
      if let piece = event.delta?.partialJSON { tools[index]?.input += piece }
    }
    guard stopReason != nil else { throw ModelProvider.brokenOff }
  }

  func completion(of prompt: Prompt, asked: String) -> Completion {
    Completion(
      ending: MessagesModel.ending(of: stopReason) ?? ending(of: prompt.template),
      engine: ModelProvider.engine(model?.value, asked: asked),
      promptTokens: usage.promptTokens,
      cachedTokens: usage.cachedTokens?.value ?? 0,
      completionTokens: usage.outputTokens?.value ?? 0,
      isCounted: usage.isCounted
    )
  }

  private func ending(of template: Prompt.Template) -> Completion.Ending {
    let used = tools.sorted { $0.key < $1.key }.first { $0.value.name == template.name }
    guard let input = used?.value.input else { return MessagesModel.unusedTool }
    do throws(StatusError) {
      return .answered(try template.output.check(Data(input.utf8)))
    } catch {
      return .malformed(error.message)
    }
  }
}
