package gatebook.api.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.ask.Ink;
import gatebook.api.ask.Words;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimelineTest {

  @Test
  void eachStepSaysHowLongItTookAndEachVerdictWhatItRestsOn() throws Exception {
    JsonNode call =
        new JsonMapper()
            .readTree(
                """
                {"callId":"c1","status":"answered","dialect":"mcp","method":"tools/call",
                 "target":"pay","principal":"alice","receivedAt":"2026-01-02T03:04:05Z",
                 "durationMillis":1234,"events":[
                  {"position":1,"name":"gatebook.CallReceived","at":"2026-01-02T03:04:05Z",
                   "data":{"method":"tools/call"}},
                  {"position":2,"name":"CallAdmitted","at":"2026-01-02T03:04:05.0004Z",
                   "data":{"rulesHash":"sha256:0123456789abcdef","rulings":[
                    {"gate":"policy","verdict":{"kind":"forward"},"policyId":"payments",
                     "reasons":["policy0","policy1"],"errors":[],"cached":false,
                     "engineVersion":"4.2","tookMicros":46}]}},
                  {"position":3,"name":"CallAnswered","at":"2026-01-02T03:04:06.2344Z",
                   "data":{"outcome":"success"}}]}
                """);

    assertThat(Timeline.of(call, Ink.NONE))
        .isEqualTo(
            List.of(
                "call c1 was answered",
                "   mcp tools/call pay by alice at 2026-01-02T03:04:05Z took 1234 ms",
                "",
                "since start  step     position  event",
                "+0 ms        0 ms     #1        CallReceived  method tools/call",
                "+0.4 ms      0.4 ms   #2        CallAdmitted  policy: forward (policy id payments,"
                    + " reasons policy0; policy1, engine version 4.2, rules sha256:0123456789ab) in"
                    + " 46 µs",
                "+1234 ms     1234 ms  #3        CallAnswered  outcome success"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tool\":\"rm\",\"rulePublic\":false,\"cached\":true}|tool rm, cached",
        "{\"timeoutMillis\":3,\"retry_after\":4,\"none\":null}|timeout millis 3, retry after 4",
        "{\"problems\":[{\"at\":\"a\"},{\"at\":\"b\"}],\"in\":{\"x\":1},\"e\":[]}|problems at a; at"
            + " b, in (x 1)",
        "\"a\\u001bb\"|a?b",
        "{}|''"
      })
  void whatIsWrittenAsJsonIsReadAsWords(String json, String words) throws Exception {
    assertThat(Words.of(new JsonMapper().readTree(json))).isEqualTo(words);
  }
}
