package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Searches the files of a directory and the tables of a database for texts. */
public final class StoredTexts {
  private static final int BASE64_BITS = 6;
  private static final int BASE64_BYTES = 3;

  private StoredTexts() {}

  /** Those of the texts that a file has, in plain, in Base64 or in hex. */
  public static List<String> found(Path directory, List<String> texts) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        addFound(
            directory.relativize(file).toString(),
            Files.readString(file, ISO_8859_1),
            texts,
            found);
      }
    }
    return found;
  }

  /** Those of the texts that a row of any table has, those of the system too. */
  public static List<String> found(Connection database, List<String> texts) throws SQLException {
    List<String> found = new ArrayList<>();
    for (String table :
        column(database, "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'm')")) {
      for (String row : column(database, "SELECT t::text FROM %s t".formatted(table))) {
        addFound(table, row, texts, found);
      }
    }
    return found;
  }

  private static List<String> column(Connection database, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = database.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        values.add(row.getString(1));
      }
    }
    return values;
  }

  private static void addFound(
      String place, String content, List<String> texts, List<String> found) {
    texts.stream()
        .filter(text -> forms(text).stream().anyMatch(content::contains))
        .map(text -> "%s: %s".formatted(place, text))
        .forEach(found::add);
  }

  /** The text in plain, in hex, and in Base64 after any number of bytes. */
  private static List<String> forms(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    List<String> forms = new ArrayList<>();
    forms.add(new String(bytes, ISO_8859_1));
    forms.add(HexFormat.of().formatHex(bytes));
    forms.add(HexFormat.of().withUpperCase().formatHex(bytes));
    for (int before = 0; before < BASE64_BYTES; before++) {
      byte[] moved = new byte[before + bytes.length];
      System.arraycopy(bytes, 0, moved, before, bytes.length);
      String base64 = Base64.getEncoder().encodeToString(moved);
      int from = (before * Byte.SIZE + BASE64_BITS - 1) / BASE64_BITS;
      forms.add(base64.substring(from, moved.length * Byte.SIZE / BASE64_BITS));
    }
    return forms;
  }
}
