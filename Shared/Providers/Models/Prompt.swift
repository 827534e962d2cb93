package import Core

/// A prompt for a language model: its instructions, its input, and the shape of the answer.
///
/// Users' texts are only in `input`, as strings in one JSON object. So no quotation mark, line
/// break or instruction in a user's text can change the rest of the prompt. All prompts of a
/// template have the same instructions, so that a provider's prompt cache can be used.
package struct Prompt: Sendable, Hashable {
  /// The constant part of all prompts of a kind.
  package struct Template: Sendable, Hashable {
    /// The name of the template and of the answer's schema, such as `message_analysis`: letters,
    /// digits, `_` and `-`.
    package var name: String
    /// The version, incremented with every change to the template's other properties. The
    /// version is stored with an answer's results.
    package var version: Int
    /// The constant instructions at the beginning.
    package var instructions: String
    package var output: JSONSchema
    /// The maximum number of tokens of an answer.
    package var maximumOutputTokens: Int

    package init(
      name: String,
      version: Int,
      instructions: String,
      output: JSONSchema,
      maximumOutputTokens: Int
    ) {
      self.name = name
      self.version = version
      self.instructions = instructions
      self.output = output
      self.maximumOutputTokens = maximumOutputTokens
    }
  }

  package let template: Template
  /// The input, as one JSON object in UTF-8.
  package let input: Data
  /// The problem with the model's last answer, without a quotation of it.
  package var correction: String?

  /// Creates a prompt.
  ///
  /// - Throws: `INTERNAL` if the input can't be encoded.
  package init(_ template: Template, input: some Encodable) throws(StatusError) {
    do {
      self.input = try JSON.encode(input)
    } catch {
      throw StatusError(.internal, "a prompt can't be encoded")
    }
    self.template = template
  }

  /// The input as text for the model.
  package var inputText: String { String(decoding: input, as: UTF8.self) }

  /// Returns the instructions, with the problem of the last answer if there is one.
  ///
  /// - Parameter tellingSchema: whether to include the schema, for a server that can't receive it
  ///   in another way.
  func instructions(tellingSchema: Bool = false) throws(StatusError) -> String {
    var parts = [template.instructions]
    if tellingSchema {
      do {
        let schema = String(decoding: try JSON.encode(template.output), as: UTF8.self)
        parts.append(
          "Answer with nothing but one JSON object that conforms to this JSON Schema: \(schema)"
        )
      } catch {
        throw StatusError(.internal, "a schema can't be encoded")
      }
    }
    if let correction {
      parts.append("Your last answer was refused: \(correction). Answer again.")
    }
    return parts.joined(separator: "\n\n")
  }
}
