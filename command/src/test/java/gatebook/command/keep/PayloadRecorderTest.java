package gatebook.command.keep;

import static gatebook.command.GivenCall.DIGESTS;
import static gatebook.command.GivenCall.KEYS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.keys.ContentOwner;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PayloadRecorderTest {

  private static final ContentOwner ADA = new ContentOwner("ada", LocalDate.of(2026, 10, 1));
  private static final String SECRET = "{\"password\":\"\u00e9\"}";
  private static final Digest DIGEST = KEYS.current(ADA).digest(SECRET.getBytes(UTF_8));

  private final PayloadRecorder payloadRecorder = recorder(RecordRules.DEFAULT);

  @Test
  void argumentsAreKeptAsSizeDigestAndRedactedForm() {
    assertThat(payloadRecorder.keep(SECRET))
        .isEqualTo(
            new KeptContent(17, DIGEST, JsonValue.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void theRulesDecideWhetherResultsAreReadable() {
    PayloadRecorder readable = recorder(new RecordRules(true, true, 1_024));

    assertThat(payloadRecorder.keepResult(SECRET))
        .isEqualTo(new KeptContent(17, DIGEST, null, null));
    assertThat(readable.keepResult(SECRET))
        .isEqualTo(
            new KeptContent(17, DIGEST, JsonValue.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void theRulesDecideWhatIsRedacted() {
    RedactionRules redactionRules = new RedactionRules(List.of("note"), false, List.of());
    Scrubber scrubber = new Scrubber(redactionRules, List.of(), Map.of());
    PayloadRecorder recorder = new PayloadRecorder(DIGESTS, ADA, scrubber, RecordRules.DEFAULT);

    assertThat(recorder.keep("{\"note\":1}").redacted())
        .isEqualTo(JsonValue.parse("{\"note\":\"[value]\"}"));
  }

  @Test
  void onlyTheBeginningOfALargePayloadIsKept() {
    String largest = "\"" + "x ".repeat(RecordRules.DEFAULT.wholeBytesMax() / 2 - 1) + "\"";
    String larger = "\"" + "x ".repeat(RecordRules.DEFAULT.wholeBytesMax() / 2 - 1) + "x\"";

    assertThat(payloadRecorder.keep(largest).redacted()).isEqualTo(JsonValue.parse(largest));
    KeptContent keptContent = payloadRecorder.keep(larger);
    assertThat(keptContent)
        .isEqualTo(
            new KeptContent(
                RecordRules.DEFAULT.wholeBytesMax() + 1,
                keptContent.digest(),
                null,
                larger.substring(0, PayloadRecorder.BEGINNING_BYTES_MAX)));
  }

  @Test
  void originalsAreKeptWhenRulesAndSizeAllow() {
    String original = "\"\u00e9\u00e9\"";
    PayloadRecorder none = recorder(new RecordRules(false, false, 1_024));

    assertThat(none.keepsOriginals()).isFalse();
    assertThat(none.original(original)).isNull();
    assertThat(none.originalOfAnySize(original)).isNull();
    assertThat(withSizeLimit(6).original(original)).isEqualTo(original);
    assertThat(withSizeLimit(5).original(original)).isNull();
    assertThat(withSizeLimit(5).originalOfAnySize(original)).isEqualTo(original);
  }

  private static PayloadRecorder withSizeLimit(int bytesMax) {
    return recorder(new RecordRules(true, false, bytesMax));
  }

  private static PayloadRecorder recorder(RecordRules recordRules) {
    return new PayloadRecorder(DIGESTS, ADA, Scrubber.BUILT_IN, recordRules);
  }
}
