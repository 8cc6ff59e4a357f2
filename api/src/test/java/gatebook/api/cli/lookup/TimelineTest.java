package gatebook.api.cli.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.ReadableJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimelineTest {

  @Test
  void stepsAddUpAndVerdictsShowTheirBasis() throws Exception {
    List<String> lines =
        timeline(
            """
            {"callId":"c1","status":"answered","dialect":"mcp","method":"tools/call",
             "target":"pay","principal":"alice","receivedAt":"2026-01-02T03:04:05Z",
             "durationMillis":56,"events":[
              {"position":1,"name":"gatebook.CallReceived","data":{"method":"tools/call"},
               "spent":[]},
              {"position":2,"name":"CallAdmitted",
               "data":{"rulesHash":"sha256:0123456789abcdef","rulings":[
                {"gate":"visibility","verdict":{"kind":"pass"},"tookMicros":30},
                {"gate":"policy","verdict":{"kind":"forward"},"policyId":"payments",
                 "reasons":["policy0","policy1"],"errors":[],"cached":false,
                 "engineVersion":"4.2","tookMicros":46000}]},
               "spent":[{"on":"gate","gate":"visibility","micros":30},
                {"on":"gate","gate":"policy","micros":46000},{"on":"node","micros":540}]},
              {"position":3,"name":"CallForwarded","data":{"attempt":1},"spent":[]},
              {"position":4,"name":"CallAnswered","data":{"outcome":"success"},
               "spent":[{"on":"node","micros":2000},{"on":"upstream","micros":8000}]}]}
            """);

    assertThat(lines)
        .containsExactly(
            "call c1 was answered",
            "   mcp tools/call pay by alice at 2026-01-02T03:04:05Z took 56.5 ms",
            "",
            "since start  step     position  event",
            "+0.0 ms      0.0 ms   #1        CallReceived   method tools/call",
            "+0.0 ms      0.0 ms             gate           visibility: pass (rules"
                + " sha256:0123456789ab) in 30 µs",
            "+46.0 ms     46.0 ms            gate           policy: forward (policy id payments,"
                + " reasons policy0; policy1, engine version 4.2, rules sha256:0123456789ab) in"
                + " 46000 µs",
            "+46.5 ms     0.5 ms   #2        CallAdmitted",
            "+46.5 ms     0.0 ms   #3        CallForwarded  attempt 1",
            "+48.5 ms     2.0 ms             node",
            "+56.5 ms     8.0 ms             upstream",
            "+56.5 ms     0.0 ms   #4        CallAnswered   outcome success");
  }

  @Test
  void aLongCallIsShownToTheMillisecond() throws Exception {
    List<String> lines =
        timeline(
            """
            {"callId":"c1","status":"held","events":[
              {"position":1,"name":"CallReceived","data":{},"spent":[]},
              {"position":2,"name":"ApprovalRequested","data":{"workflow":"ops"},
               "spent":[{"on":"node","micros":1900}]},
              {"position":3,"name":"ApprovalRejected","data":{"by":"bob"},
               "spent":[{"on":"person","micros":998200}]},
              {"position":4,"name":"GateDenied","data":{"rulesHash":"r","rulings":[
                {"gate":"approval","verdict":{"kind":"deny","reason":"rejected"},
                 "tookMicros":0}],
                "observed":{"rulesHash":"c","outcome":"would-deny","gate":"governance","rule":2,
                 "reason":"rule","target":"pay","principal":"ada"}},
               "spent":[{"on":"node","micros":1900}]}]}
            """);

    assertThat(lines)
        .containsExactly(
            "call c1 is held",
            "  ",
            "",
            "since start  step    position  event",
            "+0 ms        0 ms    #1        CallReceived",
            "+1 ms        1 ms    #2        ApprovalRequested  workflow ops",
            "+1 s         999 ms            person",
            "+1 s         0 ms    #3        ApprovalRejected   by bob",
            "+1.002 s     2 ms    #4        GateDenied         approval: deny rejected (rules r)"
                + " in 0 µs",
            "                                                  observed: would-deny (gate"
                + " governance, rule 2, reason rule, rules c)");
  }

  @Test
  void contentThatWasErasedIsToldOncePerEvent() throws Exception {
    List<String> lines =
        timeline(
            """
            {"callId":"c1","status":"failed","events":[
              {"position":1,"name":"CallReceived","content":"erased",
               "data":{"method":"tools/call","arguments":{"sizeBytes":7,"redacted":"[erased]"}},
               "spent":[]},
              {"position":2,"name":"ErrorTranslated","content":"erased",
               "data":{"fault":{"kind":"UpstreamError","source":"a","message":"[erased]"},
                "told":{"code":-32000,"message":"[erased]","data":"[erased]"}},
               "spent":[]}]}
            """);

    assertThat(lines)
        .containsExactly(
            "call c1 was failed",
            "  ",
            "",
            "since start  step    position  event",
            "+0.0 ms      0.0 ms  #1        CallReceived     content erased",
            "                                                method tools/call, arguments 7 bytes",
            "+0.0 ms      0.0 ms  #2        ErrorTranslated  content erased",
            "                                                because UpstreamError: source a",
            "                                                told -32000");
  }

  private static List<String> timeline(String call) throws Exception {
    return Timeline.of(new JsonMapper().readTree(call), Colours.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        """
        {"tool":"rm","rulePublic":false,"cached":true}|tool rm, cached\
        """,
        """
        {"timeoutMillis":3,"retry_after":4,"none":null}|timeout 3 ms, retry after 4\
        """,
        """
        {"problems":[{"at":"a"},{"at":"b"}],"in":{"x":1},"e":[]}|problems at a; at \
        b, in (x 1)\
        """,
        "\"a\\u001bb\"|a⟨U+001B⟩b",
        "{}|''"
      })
  void jsonIsFormattedAsWords(String json, String words) throws Exception {
    assertThat(ReadableJson.of(new JsonMapper().readTree(json))).isEqualTo(words);
  }
}
