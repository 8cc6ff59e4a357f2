package gatebook.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PeerOptionsTest {

  @Test
  void peersHaveTheOptionsOfAServer() throws IOException {
    Path launcher = Path.of(System.getProperty("gatebook.root"), "gatebook");

    assertThat(PeerProcess.options(launcher))
        .contains("-XX:+UseParallelGC", "-XX:NewRatio=1", "-XX:+UseCompactObjectHeaders")
        .doesNotContain("-XX:+UseG1GC", "-XX:+UseSerialGC");
  }
}
