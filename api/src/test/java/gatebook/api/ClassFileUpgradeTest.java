package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ClassFileUpgradeTest {

  @TempDir private Path directory;

  /** The classes of a real library in the format of Java 5. */
  @Test
  void oldClassesAreUpgradedAndPassTheVerifier() throws Exception {
    Path jar = directory.resolve("library.jar");
    Files.copy(
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI()),
        jar);
    List<String> names = names(jar);

    ClassFileUpgrade.upgrade(jar);

    assertThat(names(jar)).isEqualTo(names);
    try (JarFile upgraded = new JarFile(jar.toFile());
        URLClassLoader library =
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      for (JarEntry entry : upgraded.stream().toList()) {
        String name = entry.getName();
        if (name.startsWith("picocli/") && name.endsWith(".class")) {
          assertThat(version(upgraded, entry)).as(name).isEqualTo(ClassFile.JAVA_25_VERSION);
          verify(library, name.substring(0, name.length() - ".class".length()).replace('/', '.'));
        }
      }
    }
  }

  @Test
  void newAndSignedClassesStayAsTheyAre() throws IOException {
    assertThat(isUnchanged("A.class", classOf(ClassFile.JAVA_8_VERSION))).isTrue();
    assertThat(isUnchanged("META-INF/A.SF", "signed".getBytes(UTF_8))).isTrue();
  }

  /** Whether the bytes of a jar with an entry are the same after the upgrade. */
  private boolean isUnchanged(String name, byte[] bytes) throws IOException {
    Path jar = directory.resolve("small.jar");
    try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(jar))) {
      entries.putNextEntry(new JarEntry(name));
      entries.write(bytes);
      entries.putNextEntry(new JarEntry(name.contains("SF") ? "Old.class" : "text"));
      entries.write(classOf(ClassFile.JAVA_5_VERSION));
    }
    byte[] before = Files.readAllBytes(jar);
    ClassFileUpgrade.upgrade(jar);
    return Arrays.equals(before, Files.readAllBytes(jar));
  }

  private static byte[] classOf(int version) {
    return ClassFile.of().build(ClassDesc.of("A"), it -> it.withVersion(version, 0));
  }

  private static List<String> names(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(JarEntry::getName).toList();
    }
  }

  private static int version(JarFile jar, JarEntry entry) throws IOException {
    try (var input = jar.getInputStream(entry)) {
      return ClassFile.of().parse(input.readAllBytes()).majorVersion();
    }
  }

  /** Initializing a class verifies it; some need libraries that are not there. */
  private static void verify(ClassLoader library, String name) {
    try {
      var _ = Class.forName(name, true, library);
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      assertThat(e).as(name).hasMessageContaining("groovy");
    }
  }
}
