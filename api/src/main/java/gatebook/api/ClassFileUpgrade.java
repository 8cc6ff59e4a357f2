package gatebook.api;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * The upgrade of a library's class files to the format of Java 25. The JVM's cache takes no classes
 * in the format of Java 5: they are loaded and verified anew at each start. What they do stays the
 * same.
 *
 * <p>{@code ClassFileUpgrade JAR...} replaces the jars. One that is signed or needs no upgrade
 * stays as it is.
 */
final class ClassFileUpgrade {

  /** What the JVM can verify by type checking, and keep. */
  private static final int UNCHANGED_FROM = ClassFile.JAVA_6_VERSION;

  private final ClassFile classFile;

  private ClassFileUpgrade(ClassLoader library) {
    this.classFile =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ConstantPoolSharingOption.NEW_POOL, // else code is copied without its stack maps
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofClassLoading(library)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  public static void main(String[] args) throws IOException {
    for (String jar : args) {
      upgrade(Path.of(jar));
    }
  }

  static void upgrade(Path jar) throws IOException {
    Path draft = jar.resolveSibling(jar.getFileName() + ".new");
    try (JarFile old = new JarFile(jar.toFile());
        URLClassLoader library = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      if (!needsUpgrade(old)) {
        return;
      }
      try (JarOutputStream upgraded =
          new JarOutputStream(new BufferedOutputStream(Files.newOutputStream(draft)))) {
        new ClassFileUpgrade(library).copy(old, upgraded);
      }
    }
    Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean needsUpgrade(JarFile jar) throws IOException {
    boolean isOld = false;
    for (JarEntry entry : jar.stream().toList()) {
      if (entry.getName().endsWith(".SF")) {
        return false;
      }
      isOld = isOld || (isClass(entry) && isOld(read(jar, entry)));
    }
    return isOld;
  }

  private void copy(JarFile from, JarOutputStream to) throws IOException {
    for (JarEntry entry : from.stream().toList()) {
      byte[] bytes = read(from, entry);
      to.putNextEntry(new JarEntry(entry.getName()));
      to.write(isClass(entry) && isOld(bytes) ? upgraded(bytes) : bytes);
      to.closeEntry();
    }
  }

  private byte[] upgraded(byte[] bytes) {
    return classFile.transformClass(
        classFile.parse(bytes),
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_25_VERSION, 0);
          } else {
            builder.with(element);
          }
        });
  }

  private static boolean isClass(JarEntry entry) {
    return entry.getName().endsWith(".class");
  }

  /** The major version is the fourth of the 16-bit numbers with which a class file begins. */
  private static boolean isOld(byte[] bytes) {
    return (((bytes[6] & 0xff) << 8) | (bytes[7] & 0xff)) < UNCHANGED_FROM;
  }

  private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
    try (var input = jar.getInputStream(entry)) {
      return input.readAllBytes();
    }
  }
}
