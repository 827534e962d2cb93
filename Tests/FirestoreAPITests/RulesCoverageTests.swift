import Core
import FirestoreAPI
import FirestoreProtos
import Rules
import SwiftProtobuf
import TestKit
import Testing

/// The coverage of projects' rules.
struct RulesCoverageTests {
  private let rules = SecurityRules(
    RulesFile(
      name: "",
      content: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents/t/{id} { allow get: if id == 'x'; }
        }
        """
    ),
    coverageLimit: 2
  )

  /// Reads a document of each project in turn.
  private func read(_ projects: String...) {
    let service = Firestore(rules: rules).service
    for project in projects {
      _ = try? service.getDocument(
        .with { $0.name = "projects/\(project)/databases/(default)/documents/t/x" },
        .nobody
      ).now
    }
  }

  /// The number of times that the condition was evaluated for a project.
  private func evaluations(in project: String) -> Int? {
    rules.coverage(of: project).coverage?.counts.first?.evaluations
  }

  @Test func `the coverage of the project that was used longest ago is removed`() {
    read("aa", "bb", "aa", "cc")
    #expect(evaluations(in: "aa") == 2)
    #expect(evaluations(in: "bb") == 0)
    #expect(evaluations(in: "cc") == 1)
    read("bb")
    #expect(evaluations(in: "aa") == 0)
    #expect(evaluations(in: "bb") == 1)
    #expect(evaluations(in: "cc") == 1)
  }

  @Test func `a report keeps no coverage`() {
    read("aa", "bb")
    #expect(evaluations(in: "cc") == 0)
    #expect(evaluations(in: "aa") == 1)
    #expect(evaluations(in: "bb") == 1)
  }
}
