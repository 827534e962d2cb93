import FunctionHost
import Testing

struct PrometheusTextTests {
  @Test func `a page has each metric's header, its labels in order and its histograms`() {
    var histogram = Histogram(bounds: [0.5, 2])
    for seconds in [0.25, 0.5, 4] { histogram.add(.seconds(seconds)) }
    var page = PrometheusText()
    page.write("calls_total", .counter, "Calls.", [(["to": "a\"\\\n", "by": "b"], 2)])
    page.write("waiting", .gauge, "Callers that wait.", 0)
    page.write("duration_seconds", "From call to answer.", [(["kind": "k"], histogram)])
    #expect(
      page.text == #"""
        # HELP calls_total Calls.
        # TYPE calls_total counter
        calls_total{by="b",to="a\"\\\n"} 2
        # HELP waiting Callers that wait.
        # TYPE waiting gauge
        waiting 0
        # HELP duration_seconds From call to answer.
        # TYPE duration_seconds histogram
        duration_seconds_bucket{kind="k",le="0.5"} 2
        duration_seconds_bucket{kind="k",le="2.0"} 2
        duration_seconds_bucket{kind="k",le="+Inf"} 3
        duration_seconds_sum{kind="k"} 4.75
        duration_seconds_count{kind="k"} 3

        """#
    )
  }
}
