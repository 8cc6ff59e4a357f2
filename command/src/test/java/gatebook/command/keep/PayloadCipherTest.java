package gatebook.command.keep;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.events.call.Bytes;
import gatebook.events.call.SealedContent;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class PayloadCipherTest {

  private static final UUID CALL = UUID.fromString("0198c5a2-7b1e-7c3d-9f00-5d2a6c1e8b44");
  private static final String TEXT =
      """
      {"jsonrpc":"2.0","id":1}\
      """;

  private final PayloadCipher payloadCipher = new PayloadCipher(key(1));

  @Test
  void sealingTheSameTextTwiceDiffers() {
    SealedContent first = payloadCipher.seal(CALL, TEXT);
    SealedContent second = payloadCipher.seal(CALL, TEXT);

    assertThat(second.content()).isNotEqualTo(first.content());
    assertThat(payloadCipher.unseal(CALL, first)).isEqualTo(new Unsealed.Opened(TEXT));
    assertThat(payloadCipher.unseal(CALL, second)).isEqualTo(new Unsealed.Opened(TEXT));
  }

  @Test
  void sealedContentDoesNotContainTheText() {
    byte[] content = payloadCipher.seal(CALL, TEXT).content().toArray();

    assertThat(content).hasSize(12 + TEXT.length() + 16);
    assertThat(new String(content, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("jsonrpc");
  }

  @Test
  void everyChangedBitIsDetected() {
    byte[] content = payloadCipher.seal(CALL, TEXT).content().toArray();
    for (int bit = 0; bit < content.length * 8; bit++) {
      byte[] changed = content.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);

      assertThat(unseal(changed)).isEqualTo(new Unsealed.Tampered());
    }
  }

  @Test
  void everyTruncationIsDetected() {
    byte[] content = payloadCipher.seal(CALL, TEXT).content().toArray();
    for (int length = 0; length < content.length; length++) {
      assertThat(unseal(Arrays.copyOf(content, length))).isEqualTo(new Unsealed.Tampered());
    }
  }

  @Test
  void anotherKeyIsReported() {
    SealedContent sealedContent = payloadCipher.seal(CALL, TEXT);

    assertThat(new PayloadCipher(key(2)).unseal(CALL, sealedContent))
        .isEqualTo(new Unsealed.OtherKey(sealedContent.key()));
  }

  @Test
  void aForgedKeyFingerprintDoesNotDecrypt() {
    PayloadCipher other = new PayloadCipher(key(2));
    SealedContent sealedContent =
        new SealedContent(other.seal(CALL, "").key(), payloadCipher.seal(CALL, TEXT).content());

    assertThat(other.unseal(CALL, sealedContent)).isEqualTo(new Unsealed.Tampered());
  }

  private Unsealed unseal(byte[] content) {
    return payloadCipher.unseal(
        CALL, new SealedContent(payloadCipher.seal(CALL, "").key(), Bytes.of(content)));
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[PayloadCipher.KEY_BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
