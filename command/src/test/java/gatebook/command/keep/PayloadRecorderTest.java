package gatebook.command.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class PayloadRecorderTest {

  private static final UUID CALL = UUID.fromString("0198c5a2-7b1e-7c3d-9f00-5d2a6c1e8b44");

  private final PayloadCipher payloadCipher = new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]);
  private final PayloadRecorder payloadRecorder =
      new PayloadRecorder(new byte[PayloadRecorder.KEY_BYTES], payloadCipher);

  /** Computed with another implementation of HMAC and SHA-256. */
  private static final Digest DIGEST =
      new Digest(
          "66687aadf862bd77",
          hex("8c044d34e4bdcc1f6c8a16bab2a66a76763ddf1305646f50c1c8611d534cd8f7"));

  @Test
  void argumentsAreKeptAsSizeDigestAndRedactedForm() {
    assertThat(payloadRecorder.keep("{\"password\":\"\u00e9\"}"))
        .isEqualTo(
            new KeptContent(17, DIGEST, JsonValue.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void theRulesDecideWhetherResultsAreReadable() {
    PayloadRecorder readable =
        payloadRecorder.withRules(Scrubber.BUILT_IN, new RecordRules(true, true, 1_024));

    assertThat(payloadRecorder.keepResult("{\"password\":\"\u00e9\"}"))
        .isEqualTo(new KeptContent(17, DIGEST, null, null));
    assertThat(readable.keepResult("{\"password\":\"\u00e9\"}"))
        .isEqualTo(
            new KeptContent(17, DIGEST, JsonValue.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void theRulesDecideWhatIsRedacted() {
    RedactionRules redactionRules = new RedactionRules(List.of("note"), false, List.of());
    PayloadRecorder recorder =
        payloadRecorder.withRules(
            new Scrubber(redactionRules, List.of(), Map.of()), RecordRules.DEFAULT);

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
  void anOriginalDecryptsForItsCallOnly() {
    var sealedContent =
        Objects.requireNonNull(payloadRecorder.seal(CALL, "{\"password\":\"\u00e9\"}"));

    assertThat(payloadCipher.unseal(CALL, sealedContent))
        .isEqualTo(new PayloadCipher.Unsealed.Opened("{\"password\":\"\u00e9\"}"));
    assertThat(payloadCipher.unseal(UUID.randomUUID(), sealedContent))
        .isEqualTo(new PayloadCipher.Unsealed.Tampered());
  }

  @Test
  void originalsAreKeptWhenRulesAndSizeAllow() {
    PayloadRecorder none =
        payloadRecorder.withRules(Scrubber.BUILT_IN, new RecordRules(false, false, 1_024));

    assertThat(none.seal(CALL, "{}")).isNull();
    assertThat(new PayloadRecorder(new byte[PayloadRecorder.KEY_BYTES]).seal(CALL, "{}")).isNull();
    assertThat(withSizeLimit(6).seal(CALL, "\"\u00e9\u00e9\"")).isNotNull();
    assertThat(withSizeLimit(5).seal(CALL, "\"\u00e9\u00e9\"")).isNull();
  }

  @Test
  void aKeyOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> new PayloadRecorder(new byte[31]))
        .hasMessage("a digest key has 32 bytes");
    assertThatThrownBy(() -> new PayloadCipher(new byte[33])).hasMessage("a seal key has 32 bytes");
  }

  private PayloadRecorder withSizeLimit(int bytesMax) {
    return payloadRecorder.withRules(Scrubber.BUILT_IN, new RecordRules(true, false, bytesMax));
  }

  private static Bytes hex(String hex) {
    return new Bytes(Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex)));
  }
}
