package gatebook.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The training with a script in the place of the JVM: it writes its working directory and its
 * arguments to a file, and creates an empty cache. As a server it ends when it is told to stop.
 */
final class CacheTrainingTest {

  private static final String JVM =
      """
      for argument; do case $argument in -XX:AOTCacheOutput=*) cache=${argument#*=};; esac; done
      echo "$PWD $*" >"$1/started.${cache##*/}"
      case "$*" in *gatebook.api.Gatebook*)
        trap ': >"$cache"; kill $!; exit 0' TERM
        echo 'callers http://127.0.0.1:1'; echo 'admin   http://127.0.0.1:2'
        sleep 600 & wait; exit 1;;
      esac
      """;

  private static final String RECORD = ": >\"$cache\"";
  private static final String NEVER_END = "sleep 600";

  @TempDir private Path temp;

  private Path target;

  @BeforeEach
  void build() throws IOException {
    target = Files.createDirectory(temp.resolve("target"));
    Files.createFile(target.resolve("gatebook.jar"));
    Files.createDirectory(target.resolve("lib"));
  }

  @Test
  void cachesAndTheLibraryOfCedarAreCreated() throws Exception {
    try (CacheTraining training = training(RECORD)) {
      training.run();
    }

    assertThat(names(target))
        .containsExactly("commands.aot", "gatebook.jar", "lib", "local.aot", "native", "serve.aot");
    assertThat(names(target.resolve("native")))
        .singleElement()
        .asString()
        .matches("cedar-java-.*\\.so");
    assertThat(started("commands"))
        .endsWith("TrainingRun commands served http://127.0.0.1:1 http://127.0.0.1:2\n");
    assertThat(workingDirectory()).doesNotExist();
  }

  @Test
  void cachesThatAreNewerThanTheJarAreKept() throws Exception {
    for (String name : List.of("commands.aot", "local.aot", "serve.aot")) {
      setLastModified(Files.createFile(target.resolve(name)), 60);
    }

    try (CacheTraining training = training(RECORD)) {
      training.run();
    }

    assertThat(names(temp)).containsExactly("target");
  }

  @Test
  void cachesOfAnOutdatedBuildAreDropped() throws Exception {
    setLastModified(target.resolve("gatebook.jar"), 60);

    try (CacheTraining training = training(RECORD)) {
      training.run();
    }

    assertThat(names(target)).containsExactly("gatebook.jar", "lib", "native");
  }

  @Test
  void stoppedTrainingLeavesNothingBehind() throws Exception {
    CacheTraining training = training(NEVER_END);
    FutureTask<Void> running =
        new FutureTask<>(() -> {
          training.run();
          return null;
        });
    Thread.ofVirtual().start(running);
    await().until(() -> names(temp).size() == 4); // three have started

    training.close();

    await().until(running::isDone);
    assertThat(names(target)).containsExactly("gatebook.jar", "lib", "native");
    assertThat(workingDirectory()).doesNotExist();
  }

  @Test
  void secondProcessDoesNothing() throws Exception {
    Path lockFile = target.resolve("caches.making");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      Process second =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  CacheTraining.class.getName(),
                  target.toString())
              .start();

      assertThat(second.waitFor()).isZero();
    }
    assertThat(names(target)).containsExactly("caches.making", "gatebook.jar", "lib");
  }

  private CacheTraining training(String work) throws IOException {
    return new CacheTraining(target, List.of("sh", "-c", JVM + work, "sh", temp.toString()));
  }

  private String started(String cache) throws IOException {
    return Files.readString(temp.resolve("started." + cache + ".aot"));
  }

  private Path workingDirectory() throws IOException {
    return Path.of(started("local").split(" ", 2)[0]);
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void setLastModified(Path file, int secondsFromNow) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(secondsFromNow)));
  }
}
