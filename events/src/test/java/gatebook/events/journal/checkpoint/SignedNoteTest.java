package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {
  /** The keys and notes published with Go's note package and with the C2SP specification. */
  private static final CheckpointKey NEUMANN_PRIVATE =
      key("PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz");

  private static final VerifierKey NEUMANN =
      verifier("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
  private static final VerifierKey ENOCH =
      verifier("EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop");
  private static final VerifierKey FOO =
      verifier("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");

  private static final String TEXT =
      """
      If you think cryptography is the answer to your problem,
      then you don't know what your problem is.
      """;
  private static final String NEUMANN_LINE =
      "— PeterNeumann"
          + " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
  private static final String ENOCH_LINE =
      "— EnochRoot"
          + " rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";
  private static final String NOTE = TEXT + "\n" + NEUMANN_LINE;

  @Test
  void thePublishedKeySignsThePublishedNote() {
    assertThat(new String(SignedNote.sign(TEXT, NEUMANN_PRIVATE), UTF_8)).isEqualTo(NOTE);
    assertThat(NEUMANN_PRIVATE.verifier()).isEqualTo(NEUMANN);
    assertThat(NEUMANN_PRIVATE.text())
        .isEqualTo(
            "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz");
  }

  @Test
  void thePublishedNotesAreValid() {
    assertThat(open(NOTE, NEUMANN)).isEqualTo(new OpenedNote.Valid<>(TEXT, NEUMANN));
    assertThat(open(NOTE + ENOCH_LINE, ENOCH)).isEqualTo(new OpenedNote.Valid<>(TEXT, ENOCH));
    assertThat(open(NOTE + ENOCH_LINE, ENOCH, NEUMANN))
        .isEqualTo(new OpenedNote.Valid<>(TEXT, NEUMANN));
    assertThat(
            open(
                "This is an example message.\n\n"
                    + "— example.com/foo"
                    + " Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n",
                FOO))
        .isEqualTo(new OpenedNote.Valid<>("This is an example message.\n", FOO));
  }

  @Test
  void aNoteSignedByUnknownKeysNamesThem() {
    assertThat(open(NOTE + ENOCH_LINE, FOO))
        .isEqualTo(
            new OpenedNote.UnknownKey<>(List.of("PeterNeumann+c74f20a3", "EnochRoot+af0cfe78")));
  }

  @Test
  void oneWrongSignatureOfAKnownKeyInvalidatesTheNote() {
    String wrongEnoch = ENOCH_LINE.replace("Xm2/5n2t", "Xm2/5n3t");

    assertThat(open(NOTE.replace("answer", "Answer"), NEUMANN))
        .isEqualTo(new OpenedNote.WrongSignature<>("PeterNeumann+c74f20a3"));
    assertThat(open(NOTE + wrongEnoch, NEUMANN, ENOCH))
        .isEqualTo(new OpenedNote.WrongSignature<>("EnochRoot+af0cfe78"));
    assertThat(open(TEXT + "\n— PeterNeumann x08gowE=\n", NEUMANN))
        .isEqualTo(new OpenedNote.WrongSignature<>("PeterNeumann+c74f20a3"));
  }

  @Test
  void aTextMayHaveBlankLinesOfItsOwn() {
    String text = "one\n\n— two\n\nthree\n";

    assertThat(SignedNote.open(SignedNote.sign(text, NEUMANN_PRIVATE), List.of(NEUMANN)))
        .isEqualTo(new OpenedNote.Valid<>(text, NEUMANN));
  }

  @Test
  void everyMalformedNoteIsRefusedWithItsLine() {
    assertThat(open("", NEUMANN))
        .isEqualTo(malformed(1, "no blank line stands between text and signatures"));
    assertThat(open(TEXT, NEUMANN))
        .isEqualTo(malformed(3, "no blank line stands between text and signatures"));
    assertThat(open(TEXT + "\n", NEUMANN))
        .isEqualTo(malformed(4, "the note does not end with a signature line"));
    assertThat(open(NOTE.stripTrailing(), NEUMANN))
        .isEqualTo(malformed(4, "the note does not end with a signature line"));
    assertThat(open(NOTE.replace("to your", "to\tyour"), NEUMANN))
        .isEqualTo(malformed(1, "there is a control character"));
    assertThat(open(NOTE.replace("\n", "\r\n"), NEUMANN))
        .isEqualTo(malformed(1, "there is a control character"));
    assertThat(SignedNote.open("fa\u00e7ade\n\n".getBytes(ISO_8859_1), List.of(NEUMANN)))
        .isEqualTo(malformed(1, "the note is not UTF-8"));
    assertThat(SignedNote.open(new byte[SignedNote.NOTE_BYTES_MAX + 1], List.of(NEUMANN)))
        .isEqualTo(malformed(1, "the note is longer than 262144 bytes"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- PeterNeumann x08gowE=\n",
        "—PeterNeumann x08gowE=\n",
        "— PeterNeumann\n",
        "— PeterNeumann \n",
        "—  x08gowE=\n",
        "— Peter+Neumann x08gowE=\n",
        "— Peter\u00a0Neumann x08gowE=\n",
        "— PeterNeumann x08gowE\n",
        "— PeterNeumann x08gowF=\n",
        "— PeterNeumann x08gowE= \n",
        "— PeterNeumann x08go_E=\n",
        "— PeterNeumann x08gow==\n"
      })
  void aLineThatIsAlmostASignatureIsRefused(String line) {
    assertThat(open(NOTE + line, NEUMANN)).isEqualTo(malformed(5, "this is not a signature line"));
  }

  @Test
  void moreThanAHundredSignaturesAreRefused() {
    String others = "— other AAAAAAE=\n";

    assertThat(open(NOTE + others.repeat(SignedNote.SIGNATURES_MAX - 1), NEUMANN))
        .isEqualTo(new OpenedNote.Valid<>(TEXT, NEUMANN));
    assertThat(open(NOTE + others.repeat(SignedNote.SIGNATURES_MAX), NEUMANN))
        .isEqualTo(malformed(104, "there are more than 100 signatures"));
  }

  @Test
  void noChangedByteLeavesTheNoteValidOrThrows() {
    byte[] note = NOTE.getBytes(UTF_8);
    Random random = new Random(2014);
    for (int round = 0; round < 1_000; round++) {
      byte[] changed = note.clone();
      changed[random.nextInt(note.length)] ^= (byte) (1 << random.nextInt(8));

      assertThat(SignedNote.open(changed, List.of(NEUMANN)))
          .isNotInstanceOf(OpenedNote.Valid.class);
      assertThat(
              SignedNote.open(Arrays.copyOf(note, random.nextInt(note.length)), List.of(NEUMANN)))
          .isInstanceOf(OpenedNote.Malformed.class);
    }
  }

  private static OpenedNote<String> open(String note, VerifierKey... known) {
    return SignedNote.open(note.getBytes(UTF_8), List.of(known));
  }

  private static OpenedNote<String> malformed(int line, String why) {
    return new OpenedNote.Malformed<>(line, why);
  }

  private static CheckpointKey key(String text) {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.parse(text)).key();
  }

  private static VerifierKey verifier(String text) {
    return ((LoadedKey.Key<VerifierKey>) VerifierKey.parse(text)).key();
  }
}
