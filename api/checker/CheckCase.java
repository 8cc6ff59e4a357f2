import static java.nio.charset.StandardCharsets.*;

import java.nio.*;
import java.nio.file.*;
import java.security.*;
import java.security.spec.X509EncodedKeySpec;
import java.util.*;
import java.util.regex.*;
import java.util.zip.CRC32;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/**
 * Checks a case file of a Gatebook: java CheckCase.java FILE VERIFIERKEY [BYTES_MAX]
 *
 * <p>The verifier key is its text (NAME+ID+BASE64), or a file that has it. Exit code: 0 accepted, 1
 * refused, 2 wrong usage. It is written from EVIDENCE.md, without the classes of Gatebook.
 */
@SuppressWarnings("DefaultPackage") // one file, without a folder
public final class CheckCase {
  private static final int BYTES_MAX = 64 << 20;
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern EVENT =
      Pattern.compile(
          "(events/\\d{19}/)(envelope|payload|metadata|proof[.]tlog-proof|(original-)?key)");
  private static final List<String> OTHERS =
      List.of("README.txt", "checkpoint", "manifest", "page.html", "policy", "redactions");
  private static final Pattern MORE = Pattern.compile("timestamp|rotations/[0-9]{19}/[a-z.-]+");
  private static final Pattern HEAD =
      Pattern.compile(
          "gatebook case file 1\norigin ([^\n]+)\nmade [0-9T:.Z-]+\n"
              + "((?:subject [a-z]{4}:[0-9a-f-]{36}\n)+)(?:dropped [0-9T:.Z-]+\n)?");
  private static final Pattern HIDDEN =
      Pattern.compile(
          "((payload|content|original) [1-9]\\d{0,18}|rules [!-~]{1,200}|timestamp checkpoint)"
              + " [a-z-]+");
  private static final Pattern CHECKPOINT =
      Pattern.compile("([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/=]{44})\n");
  private static final Pattern SEALED =
      Pattern.compile(
          "(?s)(\\{.*),\"sealed\":\\{\"key\":\"[^\"]*\",\"content\":\"([^\"]*)\""
              + "(?:,\"originals\":\"([^\"]*)\")?}}");

  private final SortedMap<String, byte[]> members = new TreeMap<>();
  private final List<String> told = new ArrayList<>();
  private List<String> hidden = List.of();
  private byte[] publicKey = {};

  public static void main(String[] args) {
    int exit = 2;
    try {
      require(args.length == 2 || args.length == 3, "a file and a key are needed");
      int max = args.length > 2 ? Integer.parseInt(args[2]) : BYTES_MAX;
      byte[] file;
      try (var in = Files.newInputStream(Path.of(args[0]))) {
        file = in.readNBytes(Math.addExact(max, 1));
      }
      require(file.length <= max, "the file is larger than BYTES_MAX");
      String key = args[1].contains("+") ? args[1] : Files.readString(Path.of(args[1])).strip();
      publicKey(key);
      exit = 1;
      check(file, key).forEach(it -> System.out.println(it.replaceAll("[^ -~]", "?")));
    } catch (Exception | VirtualMachineError e) {
      String what = exit == 1 ? "refused: " : "usage: FILE VERIFIERKEY [BYTES_MAX]: ";
      String why = e instanceof IllegalStateException ? e.getMessage() : "cannot be read: " + e;
      System.err.printf("%.400s%n", what + why.replaceAll("[^ -~]", "?"));
      System.exit(exit);
    }
  }

  /** What an accepted file shows, in lines; any exception refuses it. */
  static List<String> check(byte[] file, String key) throws Exception {
    CheckCase check = new CheckCase();
    check.publicKey = publicKey(key);
    check.unzip(file);
    check.all();
    return check.told;
  }

  /** The type and the bytes of a key NAME+ID+BASE64, where the id is a digest of the rest. */
  private static byte[] publicKey(String text) throws Exception {
    String[] parts = text.split("\\+", 3);
    byte[] typed = Base64.getDecoder().decode(parts[2]);
    require(typed.length == 33 && typed[0] == 1, "this is no verifier key");
    require(parts[1].equals(id(parts[0], typed)), "the verifier key was altered");
    return typed;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static byte[] sha256(byte[]... parts) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (byte[] part : parts) {
      digest.update(part);
    }
    return digest.digest();
  }

  private static String id(String name, byte[] typed) throws Exception {
    return HEX.formatHex(sha256((name + "\n").getBytes(UTF_8), typed), 0, 4);
  }

  /** Reads the archive by its local headers, writes it again, and compares. */
  private void unzip(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    while (in.getInt(in.position()) == 0x04034b50) {
      int size = in.getInt(in.position() + 18);
      require(size >= 0 && size <= in.remaining(), "a member is larger than the archive");
      require(members.size() < 65_534, "it has too many members");
      byte[] content = new byte[size];
      byte[] ascii = new byte[Short.toUnsignedInt(in.getShort(in.position() + 26))];
      in.position(in.position() + 30).get(ascii).get(content);
      String name = new String(ascii, ISO_8859_1);
      require(members.isEmpty() || members.lastKey().compareTo(name) < 0, "names not in order");
      members.put(name, content);
    }
    ByteBuffer out = ByteBuffer.allocate(file.length).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer list = ByteBuffer.allocate(file.length).order(ByteOrder.LITTLE_ENDIAN);
    members.forEach((name, content) -> {
      common(list.putInt(0x02014b50).putShort((short) 10), name, content).put(new byte[10]);
      list.putInt(out.position()).put(name.getBytes(UTF_8));
      common(out.putInt(0x04034b50), name, content).put(name.getBytes(UTF_8)).put(content);
    });
    int start = out.position();
    int size = out.put(list.flip()).position() - start;
    out.putInt(0x06054b50).putInt(0).putInt(members.size() * 0x10001).putInt(size).putInt(start);
    require(out.remaining() == 2 && Arrays.equals(out.array(), file), "not in its one form");
  }

  private static ByteBuffer common(ByteBuffer out, String name, byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    out.putShort((short) 10).putInt(0).putInt(0x210000).putInt((int) crc.getValue());
    return out.putInt(content.length).putInt(content.length).putInt(name.length());
  }

  private byte[] member(String name) {
    require(members.containsKey(name), name + " is missing");
    return members.get(name);
  }

  private String text(String name) {
    String text = new String(member(name), UTF_8);
    require(Arrays.equals(text.getBytes(UTF_8), member(name)), name + " is no text");
    return text;
  }

  private void all() throws Exception {
    Matcher checkpoint = CHECKPOINT.matcher(signed("checkpoint"));
    require(checkpoint.matches(), "the checkpoint is none");
    List<String> subjects = manifest(signed("manifest"), checkpoint.group(1));
    hidden = text("redactions").lines().toList();
    require(hidden.stream().allMatch(it -> HIDDEN.matcher(it).matches()), "other redactions");
    told.add("accepted: in " + checkpoint.group(1) + " of " + checkpoint.group(2) + " events");
    told.add("timestamp: " + (members.containsKey("timestamp") ? "present, not checked" : "none"));
    Set<String> folders = new TreeSet<>();
    for (String name : members.keySet()) {
      Matcher event = EVENT.matcher(name);
      require(event.matches() || OTHERS.contains(name) || MORE.matcher(name).matches(), "odd name");
      if (event.matches() && folders.add(event.group(1))) {
        event(event.group(1), checkpoint, subjects);
      }
    }
    require(!folders.isEmpty() && members.keySet().containsAll(OTHERS), "a member is missing");
    hidden.forEach(line -> told.add("not shown: " + line));
    told.add("This does not prove that there are no other events.");
  }

  /** Compares the manifest with the members; returns the calls and the tree that it names. */
  private List<String> manifest(String text, String origin) throws Exception {
    Matcher head = HEAD.matcher(text);
    require(head.lookingAt() && head.group(1).equals(origin), "the manifest is of another log");
    StringBuilder lines = new StringBuilder();
    for (var member : members.entrySet()) {
      if (!member.getKey().equals("manifest")) {
        lines.append(HEX.formatHex(sha256(member.getValue()))).append(' ');
        lines.append(member.getValue().length).append(' ').append(member.getKey()).append('\n');
      }
    }
    require(text.substring(head.end()).contentEquals(lines), "the members are not those listed");
    return head.group(2).lines().map(line -> line.substring("subject ".length())).toList();
  }

  /** The text of a signed note (C2SP), which the key must have signed under some name. */
  private String signed(String name) throws Exception {
    String note = text(name);
    int blank = note.lastIndexOf("\n\n");
    require(blank >= 0 && note.endsWith("\n"), name + " is no signed note");
    byte[] text = note.substring(0, blank + 1).getBytes(UTF_8);
    boolean isSigned = false;
    for (String line : note.substring(blank + 2, note.length() - 1).split("\n", -1)) {
      String[] parts = line.split(" ", 3);
      require(parts.length == 3 && parts[0].equals("\u2014"), name + " has no signature");
      byte[] blob = base64(parts[2]);
      if (id(parts[1], publicKey).equals(HEX.formatHex(Arrays.copyOf(blob, 4)))) {
        require(verifies(text, Arrays.copyOfRange(blob, 4, blob.length)), name + " was changed");
        isSigned = true;
      }
    }
    require(isSigned, name + " is signed by another key:" + note.substring(blank + 3));
    return new String(text, UTF_8);
  }

  private boolean verifies(byte[] text, byte[] signature) throws Exception {
    byte[] der = HEX.parseHex("302a300506032b6570032100" + HEX.formatHex(publicKey, 1, 33));
    Signature check = Signature.getInstance("Ed25519");
    check.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der)));
    check.update(text);
    return signature.length == 64 && check.verify(signature);
  }

  private static byte[] base64(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    require(Base64.getEncoder().encodeToString(bytes).equals(text), "base64 in another form");
    return bytes;
  }

  private void event(String folder, Matcher checkpoint, List<String> subjects) throws Exception {
    long position = Long.parseLong(folder.substring(7, 26));
    byte[] envelope = member(folder + "envelope");
    List<String> columns = new ArrayList<>(); // id, name, version, time, node, tags
    ByteBuffer in = ByteBuffer.wrap(envelope).position(11);
    boolean isLayout = new String(envelope, 0, 11, UTF_8).equals("gatebook/1\n");
    require(isLayout && in.getLong() == position, folder + " has another envelope");
    for (int i = 0; i < 6; i++) {
      byte[] column = new byte[Math.min(in.getInt(), envelope.length)];
      in.get(column);
      columns.add(new String(column, UTF_8));
    }
    require(in.remaining() == 64, folder + " has no envelope");
    byte[] digests = Arrays.copyOfRange(envelope, in.position(), envelope.length);
    boolean isOfLog = columns.get(1).equals("gatebook.RulesActivated");
    require(isOfLog || columns.get(5).lines().anyMatch(subjects::contains), "another call");
    inLog(folder, sha256(new byte[1], envelope), position - 1, checkpoint);
    byte[] metadata = sha256(member(folder + "metadata"));
    require(Arrays.equals(metadata, Arrays.copyOfRange(digests, 32, 64)), "other metadata");
    byte[] payload = members.get(folder + "payload");
    boolean isSame = payload == null || Arrays.equals(sha256(payload), Arrays.copyOf(digests, 32));
    require(isSame, folder + " has another payload");
    require(payload != null || isHidden("payload " + position), folder + " lacks its payload");
    String json = payload == null ? "" : new String(payload, UTF_8);
    Matcher sealed = SEALED.matcher(json);
    boolean isSealed = sealed.matches();
    told.add(position + " " + columns.get(3) + " " + columns.get(1));
    told.add("  " + (isSealed ? sealed.group(1) + "}" : json));
    byte[] bound = (columns.get(0) + " " + columns.get(1)).getBytes(UTF_8);
    open("content " + position, isSealed ? sealed.group(2) : null, folder + "key", bound);
    open("original " + position, isSealed ? sealed.group(3) : null, folder + "original-key", bound);
  }

  private boolean isHidden(String part) {
    return hidden.stream().anyMatch(line -> line.startsWith(part + " "));
  }

  /** Follows the inclusion proof (RFC 9162, 2.1.3.2). */
  private void inLog(String folder, byte[] leaf, long index, Matcher checkpoint) throws Exception {
    String proof = text(folder + "proof.tlog-proof");
    String begin = "c2sp.org/tlog-proof@v1\nindex " + index + "\n";
    int end = proof.length() - text("checkpoint").length() - 1;
    boolean isOfEvent = end >= begin.length() && proof.startsWith(begin);
    require(isOfEvent && proof.endsWith("\n\n" + text("checkpoint")), folder + " has no proof");
    long node = index;
    long last = Long.parseLong(checkpoint.group(2)) - 1;
    require(index >= 0 && index <= last, folder + " is beyond the checkpoint");
    byte[] root = leaf;
    for (int at = begin.length(); at < end; at += 45) {
      require(at + 45 <= end && proof.charAt(at + 44) == '\n', folder + " has another proof");
      byte[] hash = base64(proof.substring(at, at + 44));
      require(hash.length == 32 && last > 0, folder + " has a longer proof");
      boolean isRight = (node & 1) == 1 || node == last;
      root = sha256(new byte[] {1}, isRight ? hash : root, isRight ? root : hash);
      int levels = isRight ? Long.numberOfTrailingZeros(node) + 1 : 1;
      node >>= levels;
      last >>= levels;
    }
    require(last == 0 && Arrays.equals(root, base64(checkpoint.group(3))), "it is not in the log");
  }

  /** Opens a sealed part: a commitment to its key, then AES-256-GCM with a nonce of zeros. */
  private void open(String part, String text, String keyName, byte[] bound) throws Exception {
    byte[] key = members.get(keyName);
    if (key == null) {
      require(text == null || isHidden(part), keyName + " is missing, and it does not say why");
      return;
    }
    byte[] sealed = base64(text == null ? "" : text);
    byte[] commitment = sha256("gatebook event key ".getBytes(UTF_8), key);
    boolean isIt = key.length == 32 && Arrays.equals(commitment, Arrays.copyOf(sealed, 32));
    require(isIt && sealed.length >= 48, keyName + " is another key");
    Cipher aes = Cipher.getInstance("AES/GCM/NoPadding");
    GCMParameterSpec nonce = new GCMParameterSpec(128, new byte[12]);
    aes.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), nonce);
    aes.updateAAD(bound);
    told.add("  " + part + ": " + new String(aes.doFinal(sealed, 32, sealed.length - 32), UTF_8));
  }
}
