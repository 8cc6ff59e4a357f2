package gatebook.api.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordedCommandLineTest {

  @Test
  void pathsAreKept() {
    assertThat(shown("npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv/files"))
        .isEqualTo("npx -y @modelcontextprotocol/server-filesystem /srv/files");
  }

  @Test
  void secretsAreRemoved() {
    assertThat(shown("server", "--api-key", "hunter2hunter2", "--token=hunter2hunter2"))
        .isEqualTo("server --api-key [value] --token=[value]");
    assertThat(shown("env", "DB_PASSWORD=hunter2hunter2", "server", "--port", "80"))
        .isEqualTo("env DB_PASSWORD=[value] server --port 80");
    assertThat(shown("sshpass", "-p", "hunter2hunter2", "ssh", "host"))
        .isEqualTo("sshpass -p [value] ssh host");
    assertThat(shown("server", "https://me:hunter2hunter2@host/")).doesNotContain("hunter2hunter2");
  }

  @Test
  void recordedCommandIsOneReadableLine() {
    assertThat(shown("sh", "-c", "a\nb\u2028c")).isEqualTo("sh -c a?b?c");
    assertThat(shown("x".repeat(1_025))).isEqualTo("x".repeat(1_024) + "...");
    assertThat(shown("x".repeat(1_024))).isEqualTo("x".repeat(1_024));
  }

  private static String shown(String... words) {
    return RecordedCommandLine.of(List.of(words));
  }
}
