import Core
import Cryptography
package import Providers

/// The hashes that identify texts, translations, prompts, documents and device tokens.
package enum ContentHash {
  /// Returns the cache key of a translation: SHA-256 of `text|source|target` in lower-case
  /// hexadecimal.
  ///
  /// Clients compute the same key from the unchanged text. Pass the languages of a
  /// `Translator.Request`, which replaces `pt-BR` by `pt` because both have the same translation.
  package static func translation(
    of text: String,
    from source: Language,
    to target: Language
  ) -> String {
    SHA256.hexadecimal("\(text)|\(source.code)|\(target.code)".utf8)
  }

  /// Returns the SHA-256 of a text, which is the `textHash` of the text's translations.
  package static func text(_ text: String) -> String {
    SHA256.hexadecimal(text.utf8)
  }

  /// Returns the key of a prompt.
  ///
  /// The key covers everything that a model receives. Prompts with equal keys can share an answer.
  package static func prompt(_ prompt: Prompt) -> String {
    let head = "\(prompt.template.name)|\(prompt.template.version)|"
    return SHA256.hexadecimal(Array(head.utf8) + prompt.input)
  }

  /// Returns the key of a document in the ledger.
  package static func document(_ path: String) -> String {
    SHA256.hexadecimal(path.utf8)
  }

  /// Returns a hash that replaces a device's token where the token itself must not be written.
  package static func token(_ token: String) -> String {
    "t" + SHA256.hexadecimal(token.utf8).prefix(32)
  }
}
