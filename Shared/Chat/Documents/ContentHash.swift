import Core
import Cryptography
package import Providers

/// The keys under which texts and their translations are known.
package enum ContentHash {
  /// The cache key of a translation: SHA-256 of `text|source|target` in lower-case hexadecimal.
  ///
  /// Clients compute the same, over the text as it is. Of languages that are translated alike one
  /// stands for all, as `Translator.Request` has it: `pt` for `pt-BR`.
  package static func translation(
    of text: String,
    from source: Language,
    to target: Language
  ) -> String {
    SHA256.hexadecimal("\(text)|\(source.code)|\(target.code)".utf8)
  }

  /// What a translation's `textHash` must be for it to count: the SHA-256 of the current text.
  package static func text(_ text: String) -> String {
    SHA256.hexadecimal(text.utf8)
  }

  /// Stands for all that a model is told and given: equal prompts have equal answers.
  package static func prompt(_ prompt: Prompt) -> String {
    let head = "\(prompt.template.name)|\(prompt.template.version)|"
    return SHA256.hexadecimal(Array(head.utf8) + prompt.input)
  }

  /// The key of a document in the ledger.
  package static func document(_ path: String) -> String {
    SHA256.hexadecimal(path.utf8)
  }

  /// Stands for a device's token where the token itself must not be written.
  package static func token(_ token: String) -> String {
    "t" + SHA256.hexadecimal(token.utf8).prefix(32)
  }
}
