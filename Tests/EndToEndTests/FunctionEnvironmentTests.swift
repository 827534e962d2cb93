import Core
import TestKit
import Testing

/// The complete list of a function's environment variables.
@Suite(.timeLimit(.minutes(10)))
struct FunctionEnvironmentTests {
  /// Variables of the shell that no function gets.
  private static let withheld = [
    "MYKEY": "real-key", "OPENAI_API_KEY": "real-key", "OPENAI_ORGANIZATION": "real-organization",
    "ANTHROPIC_AUTH_TOKEN": "real-token", "AZURE_OPENAI_API_KEY": "real-key",
    "MISTRAL_API_KEY": "real-key", "mistral_api_key": "real-key", "GITHUB_TOKEN": "real-token",
    "AWS_SECRET_ACCESS_KEY": "real-key", "DATABASE_URL": "postgres://u:real@host/d",
    "https_proxy": "http://u:real@proxy:1", "KUBECONFIG": "/real", "SSH_AUTH_SOCK": "/real",
    "GOOGLE_APPLICATION_CREDENTIALS": "/real.json", "GCE_METADATA_HOST": "real",
    "FIREBASE_AUTH_EMULATOR_HOST": "real", "FIRESTORE_DATABASE": "real", "TRACEPARENT": "real",
    "INVOCATION_ID": "real", "PATH_OF_KEYS": "/real", "HOMEPAGE": "real", "LCD": "real",
    "LD_AUDIT": "real", "ODD%%()": "real", "EMPTY": "", "LINES": "real\nHOME=real",
  ]

  /// Variables of the shell that every function gets.
  private static let inherited = [
    "HOME": "/home/h", "USER": "u", "LOGNAME": "u", "SHELL": "/bin/sh", "LANG": "de_DE.UTF-8",
    "LC_ALL": "C.UTF-8", "LC_TIME": "it_IT", "TZ": "Europe/Rome", "LOG_LEVEL": "debug",
    "SSL_CERT_FILE": "/etc/certificates.pem", "LD_LIBRARY_PATH": "/opt/lib",
    "DYLD_LIBRARY_PATH": "/opt/lib", "PYTHONPATH": "/opt/python", "VIRTUAL_ENV": "/opt/venv",
    "LLM_PROVIDER": "anthropic", "TRANSLATION_LOCATION": "global",
  ]

  /// The variables that the emulator sets for every process of a function.
  private static let set: Set<String> = [
    "PATH", "TMPDIR", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_TRANSLATION_API_KEY", "TRANSLATION_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY",
    "FIRESTORE_EMULATOR_HOST", "FIREBASE_AUTH_EMULATOR_HOST", "FIREBASE_DATABASE_EMULATOR_HOST",
    "FIREBASE_STORAGE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST", "CLOUDSDK_CORE_PROJECT",
    "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
    "TRANSLATION_BASE_URL",
    "FCM_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "FUNCTIONS_EMULATOR_HOST",
    "EMULATOR_UI_HOST", "FIREBASE_EMULATOR_HUB", "FUNCTION_PROCESS", "SWIFT_BACKTRACE",
  ]
  private static let ofInvocations: Set<String> = [
    "INVOCATION_ID", "INVOCATION_ATTEMPT", "INVOCATION_DEADLINE", "TRACEPARENT",
  ]

  /// Returns a function that writes its environment to a file next to its executable, with null
  /// bytes between the variables.
  private static func probe(_ name: String, manifest: String = "") -> String {
    #"""
    #!/bin/sh
    env -0 > "$0.of${1:-run}"
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"\#(name)","callable":true\#(manifest)}'
      exit
    fi
    cat > /dev/null
    echo '{"status":"ok","result":{}}'
    """#
  }

  private static func variables(_ file: String) throws -> [String: String] {
    var variables: [String: String] = [:]
    for entry in try Data(contentsOf: URL(filePath: file)).split(separator: 0) {
      let text = String(decoding: entry, as: UTF8.self)
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(parts[0])] = String(parts[1])
    }
    // The shell that runs the script sets these variables itself.
    for name in ["PWD", "OLDPWD", "SHLVL", "_"] { variables[name] = nil }
    return variables
  }

  @Test func `a function gets what processes need and what it declares, and nothing else`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let functions = "\(folder)/functions"
      try await makeFile("\(functions)/bare", Self.probe("bare"), isExecutable: true)
      let manifest = #"""
        ,"secrets":["MAIL_KEY","ABSENT_KEY"],"environment":[{"name":"MAIL_HOST","required":true},
          {"name":"ABSENT","required":false},{"name":"MYKEY","required":false},
          {"name":"OPENAI_ORGANIZATION","required":false},{"name":"PATH","required":false}]
        """#.replacing("\n", with: "")
      try await makeFile(
        "\(functions)/mail",
        Self.probe("mail", manifest: manifest),
        isExecutable: true
      )
      let other = #","environment":[{"name":"MAIL_KEY","required":false}]"#
      try await makeFile(
        "\(functions)/post",
        Self.probe("post", manifest: other),
        isExecutable: true
      )
      let own = ["MAIL_KEY": "real-key", "MAIL_HOST": "mail.example"]
      try await withEmulator(
        "--provider",
        "openai=http://127.0.0.1:1/v1",
        "--provider-key",
        "openai=MYKEY",
        functions: functions,
        environment: Self.withheld.merging(Self.inherited) { $1 }.merging(own) { $1 }
      ) { emulator in
        for name in ["bare", "mail", "post"] {
          let answer = try await emulator.request("POST", "functions", "/\(name)", json: "{}")
          #expect(answer.status == 200, Comment(rawValue: answer.text))
        }
      }
      let common = Set(Self.inherited.keys).union(Self.set)
      let declared: Set = ["MAIL_HOST", "MAIL_KEY", "ABSENT_KEY", "MYKEY"]
      for (file, names) in [
        ("bare.of--describe", common), ("mail.of--describe", common),
        ("bare.ofrun", common.union(Self.ofInvocations)),
        ("mail.ofrun", common.union(Self.ofInvocations).union(declared)),
        ("post.ofrun", common.union(Self.ofInvocations).union(["MAIL_KEY"])),
      ] {
        let found = try Self.variables("\(functions)/\(file)")
        #expect(Set(found.keys) == names, "\(file)")
        #expect(found.filter { $0.value.contains("real") } == [:], "\(file)")
        #expect(found.filter { Self.inherited[$0.key] != nil } == Self.inherited, "\(file)")
        #expect(found["PATH"] == "\(functions):\(plainEnvironment["PATH"] ?? "")", "\(file)")
      }
      let mail = try Self.variables("\(functions)/mail.ofrun")
      #expect(mail["MAIL_HOST"] == "mail.example")
      for name in ["MAIL_KEY", "ABSENT_KEY", "MYKEY"] {
        #expect(mail[name] == "emulator", "\(name)")
      }
    }
  }

  @Test func `exec's command keeps the shell's variables, but not a provider's key`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec(
        "--provider",
        "openai=http://127.0.0.1:1/v1",
        "--provider-key",
        "openai=MYKEY",
        script: #"echo "$MYKEY $CI_JOB $OPENAI_API_KEY""#,
        environment: ["MYKEY": "real-key", "CI_JOB": "7", "OPENAI_API_KEY": "real-key"]
      )
      #expect(output.text == "emulator 7 emulator-openai-key\n")
    }
  }
}
