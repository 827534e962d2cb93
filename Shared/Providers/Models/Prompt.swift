package import Core

/// A question to a language model: what it is told, what it is given and how it must answer.
///
/// What users wrote stands in `input` and nowhere else, as members of one JSON object: no quote,
/// line break or instruction in it can reach the text around it. The head is the same for every
/// question of a kind, so that a provider's prompt cache knows it.
package struct Prompt: Sendable, Hashable {
  /// What is the same for every question of a kind.
  package struct Template: Sendable, Hashable {
    /// The name of the answer's schema, such as `message_analysis`: letters, digits, `_` and `-`.
    package var name: String
    /// Raised with every change to the other members. It is kept with what came of an answer.
    package var version: Int
    /// The constant head.
    package var instructions: String
    package var output: JSONSchema
    /// The most an answer may cost, in tokens.
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
  /// One JSON object in UTF-8.
  package let input: Data
  /// What was wrong with the last answer, in words of ours.
  package var correction: String?

  /// - Throws: `INTERNAL` if the input can't be encoded.
  package init(_ template: Template, input: some Encodable) throws(StatusError) {
    do {
      self.input = try JSON.encode(input)
    } catch {
      throw StatusError(.internal, "a prompt can't be encoded")
    }
    self.template = template
  }

  /// The input as the model reads it.
  package var inputText: String { String(decoding: input, as: UTF8.self) }

  /// The head, and what was wrong last time.
  ///
  /// - Parameter tellingSchema: also how the answer must look, for a model that learns it no other
  ///   way.
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
