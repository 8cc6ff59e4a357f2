package gatebook.command.keep;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.keep.Seal.Unsealed;
import gatebook.events.call.Bytes;
import gatebook.events.call.Sealed;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SealTest {

  private static final UUID CALL = UUID.fromString("0198c5a2-7b1e-7c3d-9f00-5d2a6c1e8b44");
  private static final String TEXT = "{\"jsonrpc\":\"2.0\",\"id\":1}";

  private final Seal seal = new Seal(key(1));

  @Test
  void theSameTextIsNeverSealedTheSameWayTwice() {
    Sealed first = seal.seal(CALL, TEXT);
    Sealed second = seal.seal(CALL, TEXT);

    assertThat(second.content()).isNotEqualTo(first.content());
    assertThat(seal.unseal(CALL, first)).isEqualTo(new Unsealed.Opened(TEXT));
    assertThat(seal.unseal(CALL, second)).isEqualTo(new Unsealed.Opened(TEXT));
  }

  @Test
  void nothingOfTheTextIsInWhatIsSealed() {
    byte[] content = seal.seal(CALL, TEXT).content().toArray();

    assertThat(content).hasSize(12 + TEXT.length() + 16);
    assertThat(new String(content, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("jsonrpc");
  }

  @Test
  void everyChangedBitIsNoticed() {
    byte[] content = seal.seal(CALL, TEXT).content().toArray();
    for (int bit = 0; bit < content.length * 8; bit++) {
      byte[] changed = content.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);

      assertThat(unseal(changed)).isEqualTo(new Unsealed.Tampered());
    }
  }

  @Test
  void whatWasCutOffIsNoticed() {
    byte[] content = seal.seal(CALL, TEXT).content().toArray();
    for (int length = 0; length < content.length; length++) {
      assertThat(unseal(Arrays.copyOf(content, length))).isEqualTo(new Unsealed.Tampered());
    }
  }

  @Test
  void anotherKeyIsNamed() {
    Sealed sealed = seal.seal(CALL, TEXT);

    assertThat(new Seal(key(2)).unseal(CALL, sealed)).isEqualTo(new Unsealed.OtherKey(sealed.key()));
  }

  @Test
  void aKeyThatOnlyClaimsTheNameDoesNotOpen() {
    Seal other = new Seal(key(2));
    Sealed sealed = new Sealed(other.seal(CALL, "").key(), seal.seal(CALL, TEXT).content());

    assertThat(other.unseal(CALL, sealed)).isEqualTo(new Unsealed.Tampered());
  }

  private Unsealed unseal(byte[] content) {
    return seal.unseal(CALL, new Sealed(seal.seal(CALL, "").key(), Bytes.of(content)));
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[Seal.KEY_BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
