package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.SecretFile.Opening;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretFileTest {

  private static final String VARIABLE = "GATEBOOK_SEAL_KEY";
  private static final byte[] GIVEN = {1, 2, 3, 4};

  @TempDir private Path directory;

  @Test
  void aSecretIsMadeOnceAndIsItsOwnersOnly() throws Exception {
    byte[] first = secret(open(Map.of()));

    assertThat(first).hasSize(4);
    assertThat(secret(open(Map.of()))).isEqualTo(first);
    assertThat(Files.getPosixFilePermissions(file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aSecretOfTheEnvironmentNeedsNoFile() {
    String base64 = Base64.getEncoder().encodeToString(GIVEN);

    assertThat(secret(open(Map.of(VARIABLE, base64)))).isEqualTo(GIVEN);
    assertThat(file()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"AQIDBAU=", "AQID", "no base64!"})
  void aSecretOfTheEnvironmentThatIsNoneIsRefused(String given) {
    assertThat(open(Map.of(VARIABLE, given)))
        .isEqualTo(
            new Opening.Refused(
                "GATEBOOK_SEAL_KEY is not the base64 of 4 bytes: correct it, or leave it out to"
                    + " have a key made in the data directory"));
  }

  private Opening open(Map<String, String> environment) {
    return SecretFile.open(file(), GIVEN.length, VARIABLE, environment);
  }

  private Path file() {
    return directory.resolve("seal.key");
  }

  private static byte[] secret(Opening opening) {
    return switch (opening) {
      case Opening.Opened(var secret) -> secret;
      case Opening.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }
}
