import Core
import TestKit
import Testing

/// The emulator's command line: its arguments and the errors for invalid ones.
@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
  @Test(arguments: [
    (["start", "--only", "pubsub"], "pubsub is not emulated yet"),
    (["start", "--only", " ,"], "--only names no service"),
    (["start", "--only", "firestore,frobnicator"], "no service frobnicator"),
    (["start", "--import", "x"], "x: there is no export to import"),
    (["start", "--import-triggers"], "--import-triggers needs --import"),
    (["start", "--export-on-exit", "."], "--export-on-exit: . is the working folder"),
    (["start", "--export-on-exit", ".."], "--export-on-exit: .. is the working folder"),
    (["start", "--export-on-exit", "functions"], "contains no export: name another folder"),
    (["start", "--export-on-exit", "no/where"], "there is no folder"),
    (["start", "--export-on-exit", "x", "--export-format", "csv"], "--export-format"),
    (["start", "--retry", "often"], "--retry"),
    (["start", "--translator", "google"], "--translator"),
    (["start", "--time-scale", "0"], "--time-scale must be between"),
    (["start", "--time-scale", "1e300"], "--time-scale must be between"),
    (["start", "--ttl-interval", "0"], "--ttl-interval must be between"),
    (["start", "--ttl-interval", "nan"], "--ttl-interval must be between"),
    (["start", "--time-scale", "x"], "--time-scale"),
    (["exec", "--chaos", "seed=1,meteor", "--", "true"], "chaos: \"meteor\" is not one of"),
    (["exec", "--chaos", "duplicate=2", "--", "true"], "chaos: \"duplicate=2\" is not one of"),
    (["exec", "--chaos", "delay=9..1ms", "--", "true"], "chaos: \"delay=9..1ms\" is not one of"),
    (["events", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["events", "retry"], "name the ids of deliveries or events, or use --all"),
    (
      ["start", "--inspect", "nobody"], "there is no function \"nobody\"; there are: analyzeMessage"
    ),
    (["start", "--inspect", "x", "--only", "firestore"], "--inspect: no functions are started"),
    (["replay"], "Missing expected argument '<paths>"), (["record"], "'<folder>'"),
    (["replay", "x", "--jobs", "0"], "--jobs must be at least 1"),
    (["record", "x", "--count", "0"], "--count must be at least 1"),
    (["record", "x", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["why", "a/b", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["export", "x", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["import", "x", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["start", "--rules", "nowhere.rules"], "nowhere.rules can't be read: No such file"),
    (["start", "--rules", "nowhere.rules"], "open all data with --no-rules"),
    (["start", "--rules", "functions"], "functions is not a file"),
    (["start", "--only", "auth", "--rules", "x"], "--rules needs firestore"),
    (["start", "--seed", "huge"], "--seed huge: there is no such file: name a JSON file"),
    (["start", "--seed", "dmeo"], "--seed dmeo: there is no such file: did you mean demo?"),
    (["start", "--project", "Not An Id"], "--project"),
    (["start", "--ui-port", "70000"], "--ui-port is not a port"),
    (
      ["start", "--auth-port", "8085", "--firestore-port", "8085"],
      "--auth-port and --firestore-port are both 8085"
    ),
    (["start", "--firestore-port", "x"], "--firestore-port"),
    (["start", "--functions", "/nowhere"], "/nowhere"),
    (["start", "--deliver", "probe"], "--deliver probe: use NAME=URL"),
    (["start", "--deliver", "=http://127.0.0.1:1"], "use NAME=URL"),
    (
      ["start", "--deliver", "a=http://127.0.0.1:1", "--deliver", "a=http://127.0.0.1:2"],
      "--deliver names a twice"
    ),
    (
      ["start", "--deliver", "nobody=http://127.0.0.1:1"],
      "--deliver nobody: no function has this name"
    ),
    (["start", "--deliver", "askAI=ftp://127.0.0.1"], "--deliver askAI"),
    (["start", "--deliver", "askAI=http://example.com"], "use https"),
    (
      ["start", "--only", "firestore", "--deliver", "askAI=http://127.0.0.1:1"],
      "--deliver needs functions"
    ),
    (["start", "--deliver-format", "avro"], "--deliver-format"),
    (["start", "--functions-emulator", "5001"], "--functions-emulator 5001: use HOST:PORT"),
    (["start", "--functions-emulator", "h:0"], "use HOST:PORT"),
    (
      ["start", "--only", "functions", "--functions-emulator", "127.0.0.1:1"],
      "--functions-emulator needs firestore"
    ),
    (["start", "--firestore-emulator", "127.0.0.1:1"], "add --only functions"),
    (
      ["start", "--only", "functions", "--firestore-emulator", "127.0.0.1:1"],
      "--firestore-emulator needs a fixed --functions-port"
    ),
    (
      ["start", "--only", "functions", "--firestore-emulator", "127.0.0.1:1", "--seed", "demo"],
      "--seed needs this emulator's Firestore"
    ),
    (["start", "--frobnicate"], "--frobnicate"),
    (["exec"], "a command is missing"),
    (["token"], "--uid"),
    (["token", "--uid", "a", "--project", "real"], "demo-"),
    (["token", "--uid", "a", "--claims", "[]"], "--claims is not a JSON object"),
    (["generate-event", "exploded", "a/b"], "exploded"),
    (["generate-event", "created", "a"], "a"),
    (["generate-event", "created", "a/b", "--data", "no.json"], "neither a file nor JSON"),
    (["generate-event", "created", "a/b", "--data", "{\n \"a\":1,}"], "--data, line 2, column 8"),
    (["generate-event", "created", "a/b", "--data", "[1]"], "--data"),
    (
      ["generate-event", "created", "a/b", "--data", #"{"a":{"timestampValue":"now"}}"#],
      "a.timestampValue"
    ),
    (["generate-event", "created", "a/b", "--after", "{}"], "--after needs --ref"),
    (["generate-event", "created", "a/b", "--ref"], "give the node's data with --data"),
    (["clear", "--project", "demo-nobody"], "no emulator of this project is running"),
    (["frobnicate"], "frobnicate"),
  ])
  func `invalid arguments are refused by name`(arguments: [String], message: String) async throws {
    try await withEmulatorShell { shell in
      var arguments = arguments
      let starts = ["start", "exec"].contains(arguments[0])
      if starts {
        let given = Set(arguments)
        for name in ["firestore", "auth", "functions", "ui", "hub"]
        where !given.contains("--\(name)-port") {
          arguments.insert(contentsOf: ["--\(name)-port", "0"], at: 1)
        }
      }
      let output = try await shell.emulator(arguments)
      #expect(output.exitCode != 0)
      #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
      #expect(output.text == "")
    }
  }

  @Test(arguments: [
    (["start", "--frobnicate"], "--frobnicate"), (["start", "--retry", "often"], "--retry"),
    (["start", "--only", "frobnicator"], "--only"), (["start", "--project", "A"], "--project"),
    (["start", "--time-scale", "0"], "--time-scale"), (["start", "--deliver", "x"], "--deliver"),
    (["start", "--chaos", "meteor"], "--chaos"), (["token", "--uid", ""], "--uid: an id has 1"),
    (["token", "--uid", "a", "--claims", "[]"], "--claims"),
    (["clear", "--project", ""], "--project"),
    (["start", "--inspect", "nobody"], "--inspect: there is no function \"nobody\""),
    (["start", "--deliver", "nobody=http://127.0.0.1:1"], "--deliver nobody: no function"),
    (["start", "--provider", "openai=livee"], "--provider openai: did you mean live?"),
    (
      ["start", "--provider", "openia=live"],
      "--provider openia: no provider has this name: did you mean openai?"
    ),
  ])
  func `an option's unknown value has the exit code of an unknown option`(
    arguments: [String],
    message: String
  ) async throws {
    try await withEmulatorShell { shell in
      let ports = arguments[0] == "start" ? Self.freePorts : []
      let output = try await shell.emulator(arguments + ports)
      #expect(output.exitCode == 64)
      #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
      #expect(!output.errorText.contains("POST"))
    }
  }

  private static let freePorts = [
    "firestore", "auth", "database", "storage", "functions", "ui", "hub",
  ]
  .flatMap { ["--\($0)-port", "0"] }

  @Test(arguments: [
    (["strat", "--seed", "demo"], "Unexpected argument 'strat'. Did you mean 'start'?"),
    (["events", "lits"], "Unexpected argument 'lits'. Did you mean 'list'?"),
    (["frobnicate"], "Unexpected argument 'frobnicate'\n"),
  ])
  func `an unknown command is refused with the one that was meant`(
    arguments: [String],
    message: String
  ) async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(arguments)
      #expect(output.exitCode == 64)
      #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
    }
  }

  @Test(arguments: [
    (["exec", "echo hi"], "emulator exec -- echo hi"),
    (["exec", "npm", "test"], "emulator exec -- npm test"),
    (["exec", "npm", "test", "--watch"], "emulator exec -- npm test --watch"),
    (["exec", "--seed", "demo", "npm test"], "emulator exec --seed demo -- npm test"),
    (["exec", "--no-rules", "a && 'b'"], #"emulator exec --no-rules -- sh -c 'a && '\''b'\'''"#),
    (["exec", "echo", "a b", "\u{1B}[1m"], #"emulator exec -- echo 'a b' '\u{1B}[1m'"#),
    (["record", "folder", "npm", "test"], "emulator record folder -- npm test"),
  ])
  func `a command without -- is refused with the line that was meant`(
    arguments: [String],
    meant: String
  ) async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(arguments)
      #expect(output.exitCode == 64)
      #expect(
        output.errorText == "emulator: -- is missing in front of the command: \(meant)\n",
        Comment(rawValue: output.errorText)
      )
    }
  }

  @Test func `a command in one text is refused with its words`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(["exec"] + shell.options + ["--", "echo hi"])
      #expect(output.exitCode == 127)
      #expect(output.errorText.hasSuffix("-- echo hi\n"), Comment(rawValue: output.errorText))
    }
  }

  @Test(arguments: ["firestore", "functions"])
  func `a port in use is reported with the option that chooses another`(service: String)
    async throws
  {
    let taken = try SilentListener()
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(
        ["start"] + shell.options + ["--\(service)-port", "\(taken.port)"]
      )
      #expect(output.exitCode == 1)
      #expect(
        output.errorText.contains(
          "port \(taken.port) on 127.0.0.1 is in use; choose another with --\(service)-port"
        ),
        Comment(rawValue: output.errorText)
      )
    }
  }

  @Test func `a second emulator of a project leaves the first one's locator file alone`()
    async throws
  {
    try await withEmulatorShell { shell in
      let script = """
        unset FIREBASE_EMULATOR_HUB
        locator="$TMPDIR/hub-$GOOGLE_CLOUD_PROJECT.json"
        before=$(cat "$locator")
        emulator exec --project $GOOGLE_CLOUD_PROJECT --firestore-port 0 --auth-port 0 --functions-port 0 \
          --ui-port 0 --hub-port 0 --functions "$PWD" -- true
        [ "$(cat "$locator")" = "$before" ] && emulator clear --project $GOOGLE_CLOUD_PROJECT
        """
      let emulator = try Products.path(of: "emulator")
      let path = emulator.split(separator: "/").dropLast().joined(separator: "/")
      let output = try await shell.exec(script: "PATH=/\(path):$PATH\n\(script)")
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.text.contains("cleared"))
      #expect(output.errorText.contains("another emulator of this project is running"))
    }
  }

  @Test func `files of a killed emulator don't prevent a start`() async throws {
    try await withEmulatorShell { shell in
      // The file contains the ID of a process that isn't an emulator, and the port of a hub that
      // isn't running.
      try await makeFile(
        "\(shell.temporaryDirectory)/hub-\(shell.project).json",
        #"{"origins":["http://127.0.0.1:1"],"pid":1,"version":"1.0.0"}"#
      )
      let folder = "\(shell.temporaryDirectory)/worldchat-emulator-killed"
      try await makeFile("\(folder)/lock", "")
      let emulator = try Products.path(of: "emulator")
      let output = try await shell.exec(
        "unset FIREBASE_EMULATOR_HUB; \(emulator) export data --project $GOOGLE_CLOUD_PROJECT"
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(!output.errorText.contains("another emulator"))
      #expect(output.text.contains("exported no documents"))
    }
  }

  @Test func `a chosen port for the pages that is in use is refused`() async throws {
    let taken = try SilentListener()
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(
        ["start"] + shell.options + ["--ui-port", "\(taken.port)"]
      )
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains("--ui-port"))
    }
  }

  // MARK: Firebase's configuration files

  @Test func `firebase json and firebaserc give ports, hosts and project`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        """
        {"emulators": {"firestore": {"port": 0}, "functions": {"port": 0},
          "ui": {"enabled": false}, "hub": {"port": 0}, "auth": {"port": 0},
          "storage": {"port": 0}, "pubsub": {"port": 8085}},
         "hosting": {}, "firestore": {"indexes": "firestore.indexes.json"}}
        """
      )
      try await makeFile("\(shell.folder)/firestore.indexes.json", #"{"indexes": []}"#)
      try await makeFile(
        "\(shell.folder)/.firebaserc",
        #"{"projects":{"default":"demo-from-file"}}"#
      )
      let output = try await shell.emulator(
        [
          "exec", "--functions", "functions", "--", "/bin/sh", "-c",
          "echo $GOOGLE_CLOUD_PROJECT; echo ${EMULATOR_UI_HOST-none}; curl -s http://$FIREBASE_EMULATOR_HUB/emulators",
        ]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.lines.first == "demo-from-file")
      #expect(output.lines.dropFirst().first == "none")
      let services = try json(String(output.lines.last ?? ""))
      #expect(
        services.object?.keys.sorted()
          == ["auth", "database", "firestore", "functions", "hub", "storage"]
      )
      let line = "firebase.json: emulators.pubsub, hosting are not supported yet and have no effect"
      #expect(output.errorText.contains(line))
    }
  }

  @Test func `every member of firebase json that has no effect is named`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        """
        {"emulators": {"firestore": {"host": "127.0.0.1", "port": 0, "websocketPort": 9150},
          "functions": {"nonsense": 1}, "hub": {"enabled": true}, "singleProjectMode": true}}
        """
      )
      let output = try await shell.exec("true")
      #expect(output.exitCode == 0)
      let names = [
        "emulators.firestore.websocketPort", "emulators.functions.nonsense",
        "emulators.singleProjectMode",
      ]
      #expect(
        output.errorText.contains("firebase.json: \(names.joined(separator: ", ")) are not"),
        Comment(rawValue: output.errorText)
      )
    }
  }

  @Test func `the default database's rules hold, and other settings are named`() async throws {
    try await withEmulatorShell { shell in
      let rules = "service cloud.firestore { match /databases/{d}/documents/a/{b} { allow read; } }"
      for name in ["two", "default"] { try await makeFile("\(shell.folder)/\(name).rules", rules) }
      let two = #"{"database": "two", "rules": "two.rules"}"#
      let normal = #"{"database": "(default)", "rules": "default.rules", "rulez": "x"}"#
      try await makeFile("\(shell.folder)/firebase.json", #"{"firestore": [\#(two), \#(normal)]}"#)
      let both = try await shell.exec("true")
      #expect(both.errorText.contains("default.rules"), Comment(rawValue: both.errorText))
      let name = #"firestore[0], of the database "two","#
      #expect(both.errorText.contains("firebase.json: \(name) is not supported yet"))
      #expect(
        both.errorText.contains("firebase.json: firestore.rulez has no effect: did you mean rules?")
      )
      try await makeFile("\(shell.folder)/firebase.json", #"{"firestore": \#(two)}"#)
      let single = try await shell.exec("true")
      #expect(single.errorText.contains("two.rules"))
      #expect(single.errorText.contains(#"of the database "two" hold for all databases"#))
    }
  }

  @Test func `a misspelt member of firebase json is named with the one that was meant`()
    async throws
  {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        #"{"firestor": {}, "emulators": {"firestroe": {}, "auth": {"prot": 1}}}"#
      )
      let output = try await shell.exec("true")
      #expect(output.exitCode == 0)
      for (name, meant) in [
        ("firestor", "firestore"), ("emulators.firestroe", "firestore"),
        ("emulators.auth.prot", "port"),
      ] {
        let warning = "firebase.json: \(name) has no effect: did you mean \(meant)?"
        #expect(output.errorText.contains(warning), Comment(rawValue: output.errorText))
      }
    }
  }

  @Test func `firebase's files may have comments`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        """
        // The emulators of this project.
        {"emulators": {"ui": {"enabled": false /* no pages */}},
         "firestore": {"indexes": "firestore.indexes.json"}}
        """
      )
      try await makeFile("\(shell.folder)/firestore.indexes.json", "{\"indexes\": [ /* none */ ]}")
      try await makeFile(
        "\(shell.folder)/.firebaserc",
        "{\"projects\": {\"default\": \"demo-a\" /* , \"staging\": \"demo-b\" */}}"
      )
      let output = try await shell.emulator(["token", "--uid", "sarah"])
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      let run = try await shell.exec("echo ${EMULATOR_UI_HOST-none}")
      #expect(run.text == "none\n", Comment(rawValue: run.errorText))
    }
  }

  @Test func `an error in firebase json has its line and column`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/firebase.json", "{\n  \"emulators\": {},\n}\n")
      let output = try await shell.exec("true")
      #expect(output.exitCode == 1)
      let place = "firebase.json, line 3, column 1: remove the comma before }"
      #expect(output.errorText.contains(place), Comment(rawValue: output.errorText))
    }
  }

  @Test func `an alias in firebaserc stands for its project`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/.firebaserc",
        #"{"projects":{"default":"demo-a","staging":"demo-b","bad":"Demo B"}}"#
      )
      for (arguments, project) in [
        ([], "demo-a"), (["--project", "staging"], "demo-b"), (["--project", "demo-c"], "demo-c"),
        (["--project", "stagin"], "stagin"),
      ] {
        let run = try await shell.emulator(
          ["exec"] + Self.freePorts + arguments + [
            "--no-triggers", "--", "printenv", "GOOGLE_CLOUD_PROJECT",
          ]
        )
        #expect(run.text == "\(project)\n", Comment(rawValue: run.errorText))
        let event = try await shell.emulator(["generate-event", "created", "a/b"] + arguments)
        #expect(try json(event.text)["project"] == .string(project))
        for text in [run.errorText, event.errorText] {
          let isWarned = text.contains("--project stagin: did you mean the alias staging?")
          #expect(isWarned == (project == "stagin"), Comment(rawValue: text))
        }
      }
      for (name, message) in [
        ("Staging", "did you mean staging?"), ("Other one", #"but "bad", "default", "staging""#),
        ("bad", #".firebaserc's id is "Demo B""#),
      ] {
        for command in [["start"], ["clear"]] {
          let output = try await shell.emulator(command + ["--project", name])
          #expect(output.exitCode == 64)
          #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
        }
      }
    }
  }

  @Test func `a single project mode that is off is no error`() async throws {
    try await withEmulatorShell { shell in
      let file = #"{"emulators":{"singleProjectMode":false}}"#
      try await makeFile("\(shell.folder)/firebase.json", file)
      let output = try await shell.exec("true")
      #expect(!output.errorText.contains("firebase.json"))
    }
  }

  @Test func `flags win over files`() async throws {
    try await withEmulatorShell { shell in
      let taken = try SilentListener()
      try await makeFile(
        "\(shell.folder)/firebase.json",
        #"{"emulators":{"firestore":{"port":\#(taken.port)}}}"#
      )
      try await makeFile("\(shell.folder)/.firebaserc", #"{"projects":{"default":"demo-file"}}"#)
      let output = try await shell.exec("echo $GOOGLE_CLOUD_PROJECT")
      #expect(output.text == "\(shell.project)\n", Comment(rawValue: output.errorText))
    }
  }

  /// Rules that are left out would open all data.
  @Test(arguments: [
    "{", "[]", #"{"emulators":{"ui":{"port":"x"}}}"#, #"{"firestore":"firestore.rules"}"#,
    #"{"firestore":{"rules":["firestore.rules"]}}"#, #"{"firestore":[{"rules":5}]}"#,
    #"{"firestore":{"indexes":{}}}"#, #"{"emulators":[]}"#, #"{"emulators":{"auth":5}}"#,
    #"{"emulators":{"ui":{"host":5}}}"#, #"{"emulators":{"ui":{"enabled":"no"}}}"#,
  ])
  func `an invalid firebase json is named`(content: String) async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/firebase.json", content)
      let output = try await shell.exec("true")
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains("firebase.json"))
    }
  }

  @Test(arguments: [
    (#"{"projects":["x"]}"#, ".firebaserc: projects is not an object"),
    (#"{"projects":{"default":5}}"#, ".firebaserc: projects.default is not a project's id"),
  ])
  func `an invalid firebaserc is named`(content: String, message: String) async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/.firebaserc", content)
      let output = try await shell.exec("true")
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
    }
  }

  @Test func `a firebase json that can't be read is named`() async throws {
    try await withEmulatorShell { shell in
      let path = "\(shell.folder)/firebase.json"
      try FileManager.default.createSymbolicLink(
        atPath: path,
        withDestinationPath: "\(shell.folder)/none.json"
      )
      let output = try await shell.exec("true")
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains("firebase.json can't be read"))
    }
  }

  // MARK: exec

  @Test(arguments: [0, 1, 42, 255])
  func `exec ends with its command's exit code`(code: Int32) async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec("exit \(code)")
      #expect(output.exitCode == code)
    }
  }

  @Test func `exec ends with 128 and the signal that ended its command`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec("kill -9 $$")
      #expect(output.exitCode == 128 + SIGKILL)
    }
  }

  private let badMessage = #"""
    curl -sf -o /dev/null -X PATCH -d '{"fields":{"participants":{"integerValue":"7"}}}' \
      "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/conversations/c"
    curl -sf -o /dev/null -X PATCH -d '{"fields":{"text":{"stringValue":"x"},"senderId":{"stringValue":"a"}}}' \
      "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/conversations/c/messages/m"
    """#

  @Test func `exec waits for the functions and ends with 3 if one failed`() async throws {
    try await withEmulatorShell { shell in
      let failed = try await shell.exec(badMessage)
      #expect(failed.exitCode == 3)
      #expect(failed.errorText.contains("translateMessage failed on conversations/c/messages/m"))
      #expect(try await shell.exec(badMessage + "\nexit 7").exitCode == 7)
      #expect(try await shell.exec("--no-triggers", script: badMessage).exitCode == 0)
    }
  }

  @Test func `an unknown command is reported as a shell would`() async throws {
    try await withEmulatorShell { shell in
      let missing = try await shell.emulator(["exec"] + shell.options + ["--", "no-such-command"])
      #expect(missing.exitCode == 127)
      #expect(missing.errorText.contains("no-such-command"))
      let file = try await shell.emulator(["exec"] + shell.options + ["--", "/dev/null"])
      #expect(file.exitCode == 126)
    }
  }

  @Test func `exec replaces every key and credential of the shell`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec(
        script: "env",
        environment: [
          "GOOGLE_TRANSLATION_API_KEY": "real-key", "OPENAI_API_KEY": "real-key",
          "ANTHROPIC_BASE_URL": "https://real.example", "FIRESTORE_DATABASE": "real",
          "GOOGLE_APPLICATION_CREDENTIALS": "/real.json", "GOOGLE_CLOUD_PROJECT": "real",
          "GCE_METADATA_HOST": "real", "MY_OWN": "stays",
        ]
      )
      #expect(output.exitCode == 0)
      #expect(!output.text.contains("real"))
      #expect(output.text.contains("MY_OWN=stays"))
      for name in [
        "GOOGLE_CLOUD_PROJECT", "FIRESTORE_EMULATOR_HOST", "FUNCTIONS_EMULATOR_HOST",
        "EMULATOR_UI_HOST", "FIREBASE_EMULATOR_HUB", "TRANSLATION_BASE_URL", "FCM_BASE_URL",
        "GOOGLE_TRANSLATION_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS",
      ] {
        #expect(output.text.contains("\n\(name)=") || output.text.hasPrefix("\(name)="), "\(name)")
      }
      #expect(output.text.contains("PATH=\(shell.folder)/functions:"))
    }
  }

  @Test func `a secret that a manifest declares never reaches a function or the command`()
    async throws
  {
    try await withEmulatorShell { shell in
      let script = #"""
        #!/bin/sh
        if [ "$1" = --describe ]; then
          echo '{"contract":1,"name":"mail","callable":true,
            "secrets":["SENDGRID_KEY","ABSENT_KEY","GOOGLE_TRANSLATION_API_KEY"],
            "environment":[{"name":"MY_OWN","required":false}]}'
          exit
        fi
        echo "{\"status\":\"ok\",\"result\":\"$SENDGRID_KEY $ABSENT_KEY $MY_OWN\"}"
        """#
      try await makeFile("\(shell.folder)/functions/mail", script, isExecutable: true)
      let output = try await shell.exec(
        script: #"""
          echo "$SENDGRID_KEY $ABSENT_KEY $MY_OWN $GOOGLE_TRANSLATION_API_KEY"
          curl -s -d '{"data":{}}' -H 'Content-Type: application/json' \
            "http://$FUNCTIONS_EMULATOR_HOST/p/r/mail"
          """#,
        environment: ["SENDGRID_KEY": "real", "MY_OWN": "stays"]
      )
      #expect(output.lines.first == "emulator emulator stays emulator-translation-key")
      #expect(output.lines.last == #"{"result":"emulator emulator stays"}"#)
    }
  }

  @Test(arguments: ["firestore", "functions", "hub"])
  func `a service that is not started is not replaced by the real one`(only: String) async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec("--only", only, script: "env")
      let variables = output.lines.filter {
        $0.contains("_BASE_URL=") || $0.hasPrefix("FIRESTORE_EMULATOR_HOST=")
      }
      #expect(variables.count == 5)
      #expect(
        variables.allSatisfy { $0.contains("=127.0.0.1:") || $0.contains("=http://127.0.0.1:") }
      )
      let call = #"{"text":"Thanks!","sourceLang":"en","targetLang":"it"}"#
      let run = try await shell.exec("--only", only, script: "echo '\(call)' | translateMessage")
      let line = try json(run.text)
      try Schema.result.check(line)
      #expect([75, 78].contains(run.exitCode))
      #expect(!run.text.contains("googleapis"))
    }
  }

  @Test func `exec leaves stdout and stdin to its command`() async throws {
    try await withEmulatorShell { shell in
      let output = try await runProgram(
        "emulator",
        ["exec"] + shell.options + ["--", "cat"],
        input: Array("just this\n".utf8),
        environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
        workingDirectory: shell.folder
      )
      #expect(output.text == "just this\n")
    }
  }

  // MARK: Small commands

  @Test(arguments: ["created", "updated", "google.cloud.firestore.document.v1.written"])
  func `a generated event can be piped into a function`(type: String) async throws {
    try await withEmulatorShell { shell in
      let emulator = try Products.path(of: "emulator")
      let output = try await shell.exec(
        """
        '\(emulator)' generate-event \(type) conversations/c/messages/m \
          --project "$GOOGLE_CLOUD_PROJECT" | tee event.json | translateMessage
        """
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      let line = try json(output.text)
      try Schema.result.check(line)
      #expect(line["reason"] == .string("the message no longer exists"))
      let data = try Data(contentsOf: URL(filePath: "\(shell.folder)/event.json"))
      try Schema.event.check(JSONValue(parsing: data))
    }
  }

  @Test func `a token carries the user and the claims`() async throws {
    let output = try await runProgram(
      "emulator",
      ["token", "--uid", "sarah", "--claims", #"{"admin":true,"sub":"mallory"}"#]
    )
    let parts = output.text.trimmingLineFeed.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[2].isEmpty)
    let claims = try claims(String(parts[1]))
    #expect(claims["sub"] == .string("sarah"))
    #expect(claims["user_id"] == .string("sarah"))
    #expect(claims["admin"] == .boolean(true))
    #expect(claims["aud"] == .string("demo-worldchat"))
  }

  @Test(arguments: [
    ("--project demo-flag", "demo-variable", "demo-flag"), ("", "demo-variable", "demo-variable"),
    ("", "", "demo-file"),
  ])
  func `small commands take the project from the flag, the variable or the folder`(
    flag: String,
    variable: String,
    project: String
  ) async throws {
    try await withEmulatorShell { shell in
      let file = #"{"projects":{"default":"demo-file"}}"#
      try await makeFile("\(shell.folder)/.firebaserc", file)
      let flag = flag.split(separator: " ").map(String.init)
      let environment = ["GOOGLE_CLOUD_PROJECT": variable]
      let event = try await shell.emulator(
        ["generate-event", "created", "a/b"] + flag,
        environment: environment
      )
      #expect(try json(event.text)["project"] == .string(project))
      let token = try await shell.emulator(
        ["token", "--uid", "sarah"] + flag,
        environment: environment
      )
      let payload = token.text.split(separator: ".").dropFirst().first.map(String.init) ?? ""
      #expect(try claims(payload)["aud"] == .string(project))
      let clear = try await shell.emulator(["clear"] + flag, environment: environment)
      #expect(clear.errorText.contains("hub-\(project).json"), Comment(rawValue: clear.errorText))
    }
  }

  private func claims(_ payload: String) throws -> JSONValue {
    var text = payload.replacing("-", with: "+").replacing("_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return try JSONValue(parsing: try #require(Data(base64Encoded: text)))
  }

  @Test func `a generated event and clear use the running project inside exec`() async throws {
    try await withEmulatorShell { shell in
      let emulator = try Products.path(of: "emulator")
      let output = try await shell.exec(
        "'\(emulator)' clear; '\(emulator)' generate-event created a/b"
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.lines.first == "cleared projects/\(shell.project)/databases/(default)")
      #expect(try json(String(output.lines.last ?? ""))["project"] == .string(shell.project))
    }
  }

  @Test(arguments: ["::1", "::", "0.0.0.0"])
  func `clear finds its emulator on any address`(host: String) async throws {
    try await withEmulatorShell { shell in
      let emulator = try Products.path(of: "emulator")
      let document = #"""
        "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/notes/n"
        """#
      let output = try await shell.exec(
        "--host",
        host,
        "--no-triggers",
        script: """
          curl -gsf -o before -X PATCH -d '{"fields":{}}' \(document) || exit 9
          '\(emulator)' clear --project "$GOOGLE_CLOUD_PROJECT" || exit 8
          curl -gs -o /dev/null -w '%{http_code}' \(document)
          """
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.lines.last == "404")
    }
  }

  @Test func `clear finds the running emulator by its project`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(#"{"notes/n":{}}"#)
      let output = try await runProgram(
        "emulator",
        ["clear", "--project", emulator.project],
        environment: plainEnvironment.merging(["TMPDIR": emulator.temporaryDirectory]) { $1 }
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(try await emulator.fields(of: "notes/n") == nil)
    }
  }

  @Test func `the demo prints what happened`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec("--seed", "demo", script: "true")
      #expect(output.exitCode == 0)
      for text in [
        "Ehi, incontriamoci per un caffè domani!", "marco-phone", "[phrasebook]",
        "In bocca al lupo", "Marco could reply:", "Marco asks:", "[emulator-rules]",
      ] {
        #expect(output.errorText.contains(text))
      }
      // The emulator has ended, so the output must not suggest a request to it.
      #expect(!output.errorText.contains("curl"))
    }
  }

  @Test(arguments: [
    ("firestore", ["firestore"]), ("firestore,hub", ["firestore", "hub"]),
    ("firestore,auth,functions", ["auth", "firestore", "functions"]),
  ])
  func `only the services named by --only start`(only: String, services: [String])
    async throws
  {
    try await withEmulatorShell { shell in
      let ready = "\(shell.folder)/ready.json"
      let output = try await shell.exec(
        "--only",
        only,
        "--ready-file",
        ready,
        script: "cat '\(ready)'"
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(try json(output.text).object?.keys.map(\.string).sorted() == services)
    }
  }

  @Test func `a ready file exists only while the emulator is ready`() async throws {
    try await withEmulatorShell { shell in
      let ready = "\(shell.folder)/ready.json"
      try await makeFile(ready, "left by an earlier run")
      let refused = try await shell.exec(
        "--ready-file",
        ready,
        "--retry",
        "local",
        "--time-scale",
        "0",
        script: "true"
      )
      #expect(refused.exitCode == 64)
      #expect(!FileManager.default.fileExists(atPath: ready))
      try await makeFile(ready, "left by an earlier run")
      let run = try await shell.exec("--ready-file", ready, script: "cat '\(ready)'")
      #expect(try json(run.text)["firestore"] != nil)
      #expect(!FileManager.default.fileExists(atPath: ready))
    }
  }

  @Test func `a ready file that can't be written leaves no partial file`() async throws {
    try await withEmulatorShell { shell in
      let emulator = try Products.path(of: "emulator")
      // A limit on file sizes imitates a full disk.
      let program = """
        trap '' XFSZ
        ulimit -f 0
        exec "\(emulator)" start --only firestore --firestore-port 0 --ready-file ready.json
        """
      let output = try await Permits.starts.hold {
        try await runProgram(
          "/bin/sh",
          ["-c", program],
          environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
          workingDirectory: shell.folder
        )
      }
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains("--ready-file ready.json: File too large"))
      let files = try FileManager.default.contentsOfDirectory(atPath: shell.folder)
      #expect(!files.contains { $0.contains("ready") })
    }
  }

  @Test func `a ready file of another emulator is left alone at the end`() async throws {
    try await withEmulatorShell { shell in
      let ready = "\(shell.folder)/ready.json"
      let run = try await shell.exec("--ready-file", ready, script: "echo other > '\(ready)'")
      #expect(run.exitCode == 0, Comment(rawValue: run.errorText))
      #expect(try String(contentsOf: URL(filePath: ready), encoding: .utf8) == "other\n")
    }
  }
}
