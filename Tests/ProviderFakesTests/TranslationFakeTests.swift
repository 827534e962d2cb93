import Core
import HTTPService
import TestKit
import Testing

struct TranslationFakeTests {
  private let translate = "/language/translate/v2"

  @Test func `texts are returned in order, and marked if there is no translation`() async throws {
    let response = try await TranslationCall().send(
      translate + "?prettyPrint=false",
      #"{"q":["Thank you!","It's <b>"],"source":"en","target":"it","format":"text","model":null,"cid":[]}"#
    )
    #expect(response.status == 200)
    let translations = response.json?.at("data.translations")?.array
    #expect(translations?.map { $0["translatedText"]?.string } == ["Grazie!", "⟦it⟧ It's <b>"])
    #expect(translations?.map { $0["model"]?.string } == ["phrasebook", "pseudo"])
    #expect(translations?[0]["detectedSourceLanguage"] == nil)
  }

  @Test func `by default the text is HTML and its language is detected`() async throws {
    let response = try await TranslationCall().send(
      translate,
      #"{"q":"It's \"Tom & Jerry\"","target":"it"}"#
    )
    let translation = response.json?.at("data.translations.0")
    #expect(translation?["translatedText"]?.string == "⟦it⟧ It&#39;s &quot;Tom &amp; Jerry&quot;")
    #expect(translation?["detectedSourceLanguage"]?.string == "en")
  }

  @Test(arguments: [
    ("{", "Invalid JSON payload received. Unexpected token."),
    ("", "Invalid JSON payload received. Unexpected token."),
    ("[]", "Invalid JSON payload received. Unexpected token."),
    (
      #"{"q":"a","target":"it","text":"x"}"#,
      "Invalid JSON payload received. Unknown name \"text\": Cannot find field."
    ),
    (
      #"{"q":7,"target":"it"}"#,
      "Invalid JSON payload received. Invalid value at 'q' (TYPE_STRING)"
    ),
    (
      #"{"q":["a",7],"target":"it"}"#,
      "Invalid JSON payload received. Invalid value at 'q' (TYPE_STRING)"
    ),
    (#"{"target":"it"}"#, "Required Text"), (#"{"q":[],"target":"it"}"#, "Required Text"),
    (#"{"q":"a"}"#, "Required Value: target"),
    (#"{"q":"a","target":"it","format":"markdown"}"#, "Invalid Value"),
    (#"{"q":"a","target":"it","model":"best"}"#, "Invalid Value"),
    (#"{"q":"a","target":"it","cid":["x"]}"#, "Invalid Value"),
    (#"{"q":"a","target":"it-IT"}"#, "Invalid Value"),
    (#"{"q":"a","target":"it","source":"it"}"#, "Invalid Value"),
  ])
  func `invalid requests are refused with Google's errors`(
    body: String,
    message: String
  ) async throws {
    let response = try await TranslationCall().send(translate, body)
    #expect(response.status == 400)
    #expect(response.json?.at("error.message")?.string == message)
    #expect(response.json?.at("error.status")?.string == "INVALID_ARGUMENT")
    #expect(response.json?.at("error.errors.0.reason")?.string != nil)
  }

  @Test func `the limits are Google's`() async throws {
    let call = TranslationCall()
    for (count, length, status) in [
      (128, 1, 200), (129, 1, 400), (2, 15_000, 200), (2, 15_001, 400),
    ] {
      let text = "\"\(String(repeating: "é", count: length))\""
      let texts = Array(repeating: text, count: count).joined(separator: ",")
      let body = #"{"q":[\#(texts)],"target":"it"}"#
      #expect(try await call.send(translate, body).status == status)
    }
  }

  @Test(
    arguments: [
      ([:], 403, "forbidden"), (["x-goog-api-key": "wrong"], 400, "badRequest"),
      (["authorization": "Bearer made-up"], 401, nil),
    ] as [([String: String], Int, String?)]
  )
  func `requests need the emulator's key or a token that it issued`(
    headers: [String: String],
    status: Int,
    reason: String?
  ) async throws {
    let response = try await TranslationCall().send(
      translate,
      #"{"q":"a","target":"it"}"#,
      headers: headers
    )
    #expect(response.status == status)
    #expect(response.json?.at("error.errors.0.reason")?.string == reason)
  }

  @Test func `unknown parameters are refused, and the key parameter is accepted`() async throws {
    let call = TranslationCall()
    let body = #"{"q":"a","target":"it"}"#
    let key = "?key=\(TranslationCall.key)"
    #expect(try await call.send(translate + key, body, headers: [:]).status == 200)
    let refused = try await call.send(translate + "?langpair=en", body)
    #expect(refused.status == 400)
    #expect(refused.text.contains("Cannot bind query parameter"))
  }

  @Test func `languages have names if the request has a target language`() async throws {
    let call = TranslationCall()
    let bare = try await call.send(translate + "/languages", method: "GET")
    #expect(bare.json?.at("data.languages.0")?["name"] == nil)
    let named = try await call.send(
      translate + "/languages?target=it&model=nmt",
      method: "GET"
    )
    let english = named.json?.at("data.languages")?.array?.first {
      $0["language"]?.string == "en"
    }
    #expect(english?["name"]?.string == "inglese")
  }

  @Test func `a language is detected for each text`() async throws {
    let response = try await TranslationCall().send(
      translate + "/detect",
      #"{"q":["Buongiorno a tutti","Good morning everybody"]}"#
    )
    #expect(response.json?.at("data.detections.0.0.language")?.string == "it")
    #expect(response.json?.at("data.detections.1.0.language")?.string == "en")
  }

  @Test func `version three accepts only tokens`() async throws {
    let path = "/v3/projects/p/locations/global:translateText"
    let body = #"{"contents":["a"],"targetLanguageCode":"it"}"#
    let keyed = try await TranslationCall().send(path, body)
    #expect(keyed.status == 401)
    #expect(keyed.text.contains("CREDENTIALS_MISSING"))
    let madeUp = try await TranslationCall().send(
      path,
      body,
      headers: ["authorization": "Bearer made-up"]
    )
    #expect(madeUp.status == 401)
  }
}

struct LibreTranslateFakeTests {
  @Test(arguments: [
    (
      #"{"q":"Thank you!","source":"en","target":"it"}"#,
      #"{"model":"phrasebook","translatedText":"Grazie!"}"#
    ),
    (
      #"{"q":["Thank you!"],"source":"auto","target":"it","api_key":"a-key","format":"text"}"#,
      #"{"detectedLanguage":[{"confidence":90,"language":"en"}],"model":["phrasebook"],"#
        + #""translatedText":["Grazie!"]}"#
    ),
  ])
  func `a single text gets a single answer, and a list gets a list`(body: String, answer: String)
    async throws
  {
    let response = try await TranslationCall().send("/translate", body)
    #expect(response.status == 200)
    #expect(response.text == answer)
  }

  @Test func `a form is accepted as well`() async throws {
    let response = try await TranslationCall().send(
      "/translate",
      "q=Thank+you%21&source=en&target=it",
      headers: ["content-type": "application/x-www-form-urlencoded"]
    )
    #expect(response.json?["translatedText"]?.string == "Grazie!")
  }

  @Test(arguments: [
    ("{", 400, "Invalid JSON format"),
    (#"{"source":"en","target":"it"}"#, 400, "Invalid request: missing q parameter"),
    (#"{"q":"","source":"en","target":"it"}"#, 400, "Invalid request: missing q parameter"),
    (#"{"q":"a","target":"it"}"#, 400, "Invalid request: missing source parameter"),
    (#"{"q":"a","source":"en"}"#, 400, "Invalid request: missing target parameter"),
    (#"{"q":"a","source":"en","target":"auto"}"#, 400, "\"auto\" is not supported"),
    (#"{"q":"a","source":"en","target":"pt-PT"}"#, 400, "\"pt-PT\" is not supported"),
    (#"{"q":"a","source":"en","target":"it","api_key":"no"}"#, 403, "Invalid API key"),
    (
      #"{"q":"a","source":"en","target":"it","format":"xml"}"#, 400,
      "\"xml\" format is not supported"
    ),
  ])
  func `a refusal is one sentence`(body: String, status: Int, message: String) async throws {
    let response = try await TranslationCall().send("/translate", body)
    #expect(response.status == status)
    #expect(response.json?["error"]?.string == message)
  }

  @Test func `the fake detects and lists languages`() async throws {
    let call = TranslationCall()
    let detected = try await call.send("/detect", #"{"q":"Buongiorno a tutti"}"#)
    #expect(detected.text == #"[{"confidence":90,"language":"it"}]"#)
    let languages = try await call.send("/languages", method: "GET")
    let german = languages.json?.array?.first { $0["code"]?.string == "de" }
    #expect(german?["name"]?.string == "German")
    #expect(german?["targets"]?.array?.contains(.string("it")) == true)
  }
}
