package import Core
package import ProviderFakes

/// The folder of the cassettes, with a file such as `openai-000001.json` for each exchange,
/// numbered in the order of the responses.
package struct CassetteFolder: Sendable {
  let path: String

  package init(path: String) { self.path = path }

  /// Returns the exchanges of a provider in the order of their numbers.
  ///
  /// - Throws: `NOT_FOUND` if there are none, `INVALID_ARGUMENT` with the path of an invalid file.
  package func exchanges(
    of provider: ProviderName
  ) throws(StatusError) -> [ProviderExchange] {
    var exchanges: [ProviderExchange] = []
    for name in names(of: provider) {
      guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else {
        throw StatusError(.failedPrecondition, "\(path)/\(name) can't be read")
      }
      do throws(StatusError) {
        let cassette = try Cassette(file: data)
        guard cassette.provider == provider else {
          throw StatusError(
            .invalidArgument,
            "the cassette is for \(cassette.provider.rawValue), not \(provider.rawValue)"
          )
        }
        exchanges.append(cassette.exchange)
      } catch {
        throw StatusError(error.code, "\(path)/\(name): \(error.message)")
      }
    }
    guard !exchanges.isEmpty else {
      throw StatusError(.notFound, "there is no cassette of \(provider.rawValue) in \(path)")
    }
    return exchanges
  }

  private func names(of provider: ProviderName) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in number(in: name, of: provider).map { (name, $0) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Returns the number of the last cassette, or 0 if there is none.
  func lastNumber(of provider: ProviderName) -> Int {
    names(of: provider).last.flatMap { number(in: $0, of: provider) } ?? 0
  }

  private func number(in name: String, of provider: ProviderName) -> Int? {
    let (start, end) = ("\(provider.rawValue)-", ".json")
    guard name.hasPrefix(start), name.hasSuffix(end) else { return nil }
    let digits = name.dropFirst(start.count).dropLast(end.count)
    guard (1...9).contains(digits.utf8.count), digits.allSatisfy({ ("0"..."9").contains($0) })
    else { return nil }
    return Int(digits)
  }

  func file(_ number: Int, of provider: ProviderName) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
    return "\(path)/\(provider.rawValue)-\(zeros)\(digits).json"
  }
}
