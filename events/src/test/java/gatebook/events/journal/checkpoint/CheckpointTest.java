package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointTest {
  private static final CheckpointKey KEY =
      ((LoadedKey.Key<CheckpointKey>)
              CheckpointKey.parse(
                  "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"))
          .key();
  private static final String ROOT_TEXT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
  private static final byte[] ROOT = Base64.getDecoder().decode(ROOT_TEXT);

  /** The example of the C2SP tlog-checkpoint specification. */
  private static final String PUBLISHED =
      "example.com/behind-the-sofa\n20852163\n"
          + ROOT_TEXT
          + "\n\n"
          + "— example.com/behind-the-sofa"
          + " Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

  @Test
  void theTextMatchesThePublishedExample() {
    Checkpoint checkpoint = new Checkpoint("example.com/behind-the-sofa", 20852163, ROOT);

    assertThat(PUBLISHED).startsWith(checkpoint.text() + "\n");
    assertThat(Checkpoint.open(PUBLISHED.getBytes(UTF_8), List.of(KEY.verifier())))
        .isEqualTo(new OpenedNote.UnknownKey<>(List.of("example.com/behind-the-sofa+033de0ae")));
  }

  @Test
  void aSignedCheckpointIsReadBack() {
    for (long size : new long[] {0, 1, 10, Long.MAX_VALUE}) {
      Checkpoint checkpoint = new Checkpoint("gatebook.example/böök", size, ROOT);

      assertThat(Checkpoint.open(checkpoint.signedBy(KEY), List.of(KEY.verifier())))
          .isEqualTo(new OpenedNote.Valid<>(checkpoint, KEY.verifier()));
    }
  }

  @Test
  void aSignedTextThatIsNotACheckpointIsRefused() {
    assertThat(open("log\n5\n"))
        .isEqualTo(malformed(3, "a checkpoint has the three lines origin, size and root"));
    assertThat(open("log\n5\n" + ROOT_TEXT + "\nextension\n"))
        .isEqualTo(malformed(4, "a checkpoint has the three lines origin, size and root"));
    assertThat(open("\n5\n" + ROOT_TEXT + "\n"))
        .isEqualTo(malformed(1, "the origin is empty or has a space or a plus sign"));
    for (String size :
        List.of("", "-1", "-0", "+5", "05", "5 ", "٥", "9223372036854775808", "1e3")) {
      assertThat(open("log\n" + size + "\n" + ROOT_TEXT + "\n"))
          .isEqualTo(malformed(2, "the size is not a decimal number without leading zeros"));
    }
    for (String root :
        List.of("", "AAAA", ROOT_TEXT.replace("=", ""), ROOT_TEXT.replace("2I", "2J"))) {
      assertThat(open("log\n5\n" + root + "\n"))
          .isEqualTo(malformed(3, "the root is not 32 bytes in base64"));
    }
  }

  @Test
  void anImpossibleCheckpointIsNotCreated() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Checkpoint("a b", 1, ROOT));
    assertThatIllegalArgumentException().isThrownBy(() -> new Checkpoint("log", -1, ROOT));
    assertThatIllegalArgumentException().isThrownBy(() -> new Checkpoint("log", 1, new byte[31]));
  }

  private static OpenedNote<Checkpoint> open(String text) {
    return Checkpoint.open(SignedNote.sign(text, KEY), List.of(KEY.verifier()));
  }

  private static OpenedNote<Checkpoint> malformed(int line, String why) {
    return new OpenedNote.Malformed<>(line, why);
  }
}
