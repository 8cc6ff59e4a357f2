package gatebook.command.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Keeping;
import gatebook.command.rules.Redaction;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.Json;
import gatebook.events.call.Kept;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class KeeperTest {

  private static final UUID CALL = UUID.fromString("0198c5a2-7b1e-7c3d-9f00-5d2a6c1e8b44");

  private final Seal seal = new Seal(new byte[Seal.KEY_BYTES]);
  private final Keeper keeper = new Keeper(new byte[Keeper.KEY_BYTES], seal);

  /** Computed with another implementation of HMAC and SHA-256. */
  private static final Digest DIGEST =
      new Digest(
          "66687aadf862bd77",
          hex("8c044d34e4bdcc1f6c8a16bab2a66a76763ddf1305646f50c1c8611d534cd8f7"));

  @Test
  void ofArgumentsSizeDigestAndRedactedFormAreKept() {
    assertThat(keeper.keep("{\"password\":\"\u00e9\"}"))
        .isEqualTo(new Kept(17, DIGEST, Json.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void ofResultsTheRulesDecideWhetherTheyCanBeRead() {
    Keeper readable = keeper.under(Scrubber.BUILT_IN, new Keeping(true, true, 1_024));

    assertThat(keeper.keepResult("{\"password\":\"\u00e9\"}"))
        .isEqualTo(new Kept(17, DIGEST, null, null));
    assertThat(readable.keepResult("{\"password\":\"\u00e9\"}"))
        .isEqualTo(new Kept(17, DIGEST, Json.parse("{\"password\":\"[value]\"}"), null));
  }

  @Test
  void theRulesSayWhatIsRedacted() {
    Redaction redaction = new Redaction(List.of("note"), false, List.of());
    Keeper under = keeper.under(new Scrubber(redaction, List.of(), Map.of()), Keeping.DEFAULT);

    assertThat(under.keep("{\"note\":1}").redacted())
        .isEqualTo(Json.parse("{\"note\":\"[value]\"}"));
  }

  @Test
  void ofALargeContentOnlyTheBeginningIsKept() {
    String largest = "\"" + "x ".repeat(Keeping.DEFAULT.wholeBytesMax() / 2 - 1) + "\"";
    String larger = "\"" + "x ".repeat(Keeping.DEFAULT.wholeBytesMax() / 2 - 1) + "x\"";

    assertThat(keeper.keep(largest).redacted()).isEqualTo(Json.parse(largest));
    Kept kept = keeper.keep(larger);
    assertThat(kept)
        .isEqualTo(
            new Kept(
                Keeping.DEFAULT.wholeBytesMax() + 1,
                kept.digest(),
                null,
                larger.substring(0, Keeper.BEGINNING_BYTES_MAX)));
  }

  @Test
  void anOriginalOpensForItsCallOnly() {
    var sealed = Objects.requireNonNull(keeper.seal(CALL, "{\"password\":\"\u00e9\"}"));

    assertThat(seal.unseal(CALL, sealed))
        .isEqualTo(new Seal.Unsealed.Opened("{\"password\":\"\u00e9\"}"));
    assertThat(seal.unseal(UUID.randomUUID(), sealed)).isEqualTo(new Seal.Unsealed.Tampered());
  }

  @Test
  void originalsAreKeptWhenTheRulesAndTheirSizeAllow() {
    Keeper none = keeper.under(Scrubber.BUILT_IN, new Keeping(false, false, 1_024));

    assertThat(none.seal(CALL, "{}")).isNull();
    assertThat(new Keeper(new byte[Keeper.KEY_BYTES]).seal(CALL, "{}")).isNull();
    assertThat(keepingWhole(6).seal(CALL, "\"\u00e9\u00e9\"")).isNotNull();
    assertThat(keepingWhole(5).seal(CALL, "\"\u00e9\u00e9\"")).isNull();
  }

  @Test
  void aKeyOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> new Keeper(new byte[31])).hasMessage("a digest key has 32 bytes");
    assertThatThrownBy(() -> new Seal(new byte[33])).hasMessage("a seal key has 32 bytes");
  }

  private Keeper keepingWhole(int bytesMax) {
    return keeper.under(Scrubber.BUILT_IN, new Keeping(true, false, bytesMax));
  }

  private static Bytes hex(String hex) {
    return new Bytes(Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex)));
  }
}
