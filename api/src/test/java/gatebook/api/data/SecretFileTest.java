package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.SecretFile.Opening;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretFileTest {

  private static final int BYTES = 4;

  @TempDir private Path directory;

  @Test
  void aSecretIsCreatedOnceAndIsPrivate() throws Exception {
    byte[] first = secret(open());

    assertThat(first).hasSize(BYTES);
    assertThat(secret(open())).isEqualTo(first);
    assertThat(Files.getPosixFilePermissions(file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aDamagedSecretIsRefused() throws Exception {
    Files.writeString(file(), "AQIDBAU=");

    assertThat(open())
        .isEqualTo(
            new Opening.Refused(
                file() + " is damaged: restore it, or remove it so that another is created"));
  }

  private Opening open() {
    return SecretFile.open(file(), BYTES);
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
