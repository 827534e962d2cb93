import Core
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManifestTests {
  @Test(arguments: Products.functions)
  func `a function prints its manifest without configuration, and it matches the schema`(
    name: String
  ) async throws {
    let output = try await runProgram(name, ["--describe"], inputEnd: .open)
    #expect(output.exitCode == 0)
    #expect(output.lines.count == 1)
    #expect(output.errorText == "")
    let manifest = try json(output.text)
    try Schema.manifest.check(manifest)
    #expect(manifest["name"]?.string == name)
  }

  @Test(arguments: Products.functions, ["-h", "--help"])
  func `a function's help says how to use it, without configuration`(
    name: String,
    option: String
  ) async throws {
    let output = try await runProgram(name, [option], inputEnd: .open)
    #expect(output.exitCode == 0)
    #expect(output.errorText == "")
    #expect(output.text.contains("USAGE: \(name) [--worker | --describe | --serve"))
    #expect(output.lines.allSatisfy { $0.count <= 80 })
  }
}
