package gatebook.api.timestamp;

import gatebook.api.timestamp.Der.NotDer;
import gatebook.api.timestamp.Der.Values;
import gatebook.events.journal.tree.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A timestamp token (RFC 3161): the statement of an authority that some bytes existed at a time,
 * signed as CMS (RFC 5652). It is read only when its signature is right, by the certificate in it
 * that it names.
 *
 * @param at the time
 * @param imprint the SHA-256 of the bytes
 * @param nonce of the request; empty when the token has none
 * @param signer the certificate of the authority; nothing says that anybody should trust it
 * @param certificates all that are in the token
 */
@SuppressWarnings("ArrayRecordComponent") // read once and never compared
public record TimestampToken(
    Instant at,
    byte[] imprint,
    Optional<BigInteger> nonce,
    X509Certificate signer,
    List<X509Certificate> certificates) {
  static final String SHA_256 = "2.16.840.1.101.3.4.2.1";

  private static final String SIGNED_DATA = "1.2.840.113549.1.7.2";
  private static final String TST_INFO = "1.2.840.113549.1.9.16.1.4";
  private static final String CONTENT_TYPE = "1.2.840.113549.1.9.3";
  private static final String MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
  private static final String SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
  private static final String SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
  private static final String TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final String RSA_PSS = "1.2.840.113549.1.1.10";

  private static final Map<String, String> DIGESTS =
      Map.of(
          "1.3.14.3.2.26",
          "SHA-1",
          SHA_256,
          "SHA-256",
          "2.16.840.1.101.3.4.2.2",
          "SHA-384",
          "2.16.840.1.101.3.4.2.3",
          "SHA-512");

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyyMMddHHmmss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .appendLiteral('Z')
          .toFormatter(Locale.ROOT);

  /** The result of reading a token of any bytes. */
  public sealed interface Reading {
    record Read(TimestampToken token) implements Reading {}

    /** It is no token, or its signature is wrong; the sentence says which. */
    record Refused(String sentence) implements Reading {}
  }

  public TimestampToken {
    certificates = List.copyOf(certificates);
  }

  /** Whether it is about these bytes. */
  public boolean isOf(byte[] bytes) {
    return Arrays.equals(imprint, Sha256.of(bytes));
  }

  /** The name of the authority, as its certificate says. */
  public String authority() {
    return signer.getSubjectX500Principal().getName();
  }

  public static Reading read(byte[] token) {
    try {
      return new Reading.Read(parse(Der.of(token)));
    } catch (NotDer e) {
      return new Reading.Refused("this is no timestamp token: " + e.getMessage());
    } catch (GeneralSecurityException | DateTimeException _) {
      return new Reading.Refused("the timestamp token has something that cannot be read");
    }
  }

  private static void require(boolean holds, String otherwise) throws NotDer {
    if (!holds) {
      throw new NotDer(otherwise);
    }
  }

  private static TimestampToken parse(Der token) throws NotDer, GeneralSecurityException {
    Values contentInfo = token.in(Der.SEQUENCE);
    require(contentInfo.take().oid().equals(SIGNED_DATA), "it is not signed");
    Values signedData = contentInfo.take().in(Der.TAGGED).take().in(Der.SEQUENCE);
    signedData.take(); // the version
    signedData.take(); // the digests, which the signer names again
    Values encapsulated = signedData.take().in(Der.SEQUENCE);
    require(encapsulated.take().oid().equals(TST_INFO), "it signs something else than a time");
    byte[] info = encapsulated.take().in(Der.TAGGED).take().content(Der.OCTETS);
    require(signedData.hasNext(Der.TAGGED), "it has no certificate");
    List<X509Certificate> certificates = certificates(signedData.take());
    signedData.skip(Der.TAGGED | 1); // revocations
    List<Der> signers = signedData.take().in(Der.SET).all();
    require(signers.size() == 1, "it has not one signer");
    X509Certificate signer =
        new SignerInfo(signers.getFirst().in(Der.SEQUENCE), certificates).verified(info);
    return ofInfo(Der.of(info).in(Der.SEQUENCE), signer, certificates);
  }

  private static List<X509Certificate> certificates(Der set)
      throws NotDer, GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Der certificate : set.in(Der.TAGGED).all()) {
      if (factory.generateCertificate(new ByteArrayInputStream(certificate.encoded()))
          instanceof X509Certificate read) {
        certificates.add(read);
      }
    }
    return certificates;
  }

  private static TimestampToken ofInfo(
      Values info, X509Certificate signer, List<X509Certificate> certificates) throws NotDer {
    info.take(); // the version
    info.take(); // the policy
    Values imprint = info.take().in(Der.SEQUENCE);
    require(
        imprint.take().in(Der.SEQUENCE).take().oid().equals(SHA_256),
        "its imprint is not a SHA-256");
    byte[] hash = imprint.take().content(Der.OCTETS);
    info.take(); // the serial number
    String time = new String(info.take().content(Der.GENERALIZED_TIME), StandardCharsets.US_ASCII);
    info.skip(Der.SEQUENCE); // the accuracy
    info.skip(Der.BOOLEAN); // the ordering
    Optional<BigInteger> nonce =
        info.hasNext(Der.INTEGER) ? Optional.of(info.take().integer()) : Optional.empty();
    return new TimestampToken(
        LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC),
        hash,
        nonce,
        signer,
        certificates);
  }

  /** The signer of a token. */
  private static final class SignerInfo {
    private final Der identifier;
    private final String digest;
    private final Der attributes;
    private final Values algorithm;
    private final byte[] signature;
    private final List<X509Certificate> certificates;

    SignerInfo(Values values, List<X509Certificate> certificates) throws NotDer {
      values.take(); // the version
      this.identifier = values.take();
      this.digest = digest(values.take());
      require(values.hasNext(Der.TAGGED), "its signature covers no attributes");
      this.attributes = values.take();
      this.algorithm = values.take().in(Der.SEQUENCE);
      this.signature = values.take().content(Der.OCTETS);
      this.certificates = certificates;
    }

    private static String digest(Der algorithm) throws NotDer {
      String name = DIGESTS.get(algorithm.in(Der.SEQUENCE).take().oid());
      if (name == null) {
        throw new NotDer("its digest is of an unknown kind");
      }
      return name;
    }

    /** The certificate of the signer, after everything that it signed was compared. */
    X509Certificate verified(byte[] info) throws NotDer, GeneralSecurityException {
      require(
          attribute(CONTENT_TYPE).orElseThrow(() -> lacks("what it is")).oid().equals(TST_INFO),
          "it signs something else than a time");
      byte[] signedDigest =
          attribute(MESSAGE_DIGEST)
              .orElseThrow(() -> lacks("the digest of the content"))
              .content(Der.OCTETS);
      require(
          Arrays.equals(MessageDigest.getInstance(digest).digest(info), signedDigest),
          "its content was changed");
      X509Certificate signer = certificate();
      List<String> usages = signer.getExtendedKeyUsage();
      require(
          usages != null && usages.contains(TIME_STAMPING),
          "its certificate is not one for timestamps");
      require(isSignedBy(signer), "its signature is wrong");
      return signer;
    }

    private static NotDer lacks(String what) {
      return new NotDer("it does not sign " + what);
    }

    /** The only value of a signed attribute. */
    private Optional<Der> attribute(String oid) throws NotDer {
      for (Der attribute : attributes.in(Der.TAGGED).all()) {
        Values values = attribute.in(Der.SEQUENCE);
        if (values.take().oid().equals(oid)) {
          return Optional.of(values.take().in(Der.SET).take());
        }
      }
      return Optional.empty();
    }

    /** The certificate whose digest is signed: an issuer and a number could be of another one. */
    private X509Certificate certificate() throws NotDer, GeneralSecurityException {
      for (X509Certificate certificate : certificates) {
        if (isNamed(certificate)) {
          require(
              identifier.tag() != Der.SEQUENCE || hasNumber(certificate),
              "it was signed for another certificate");
          return certificate;
        }
      }
      throw new NotDer("the certificate of its signer is not in it");
    }

    private boolean hasNumber(X509Certificate certificate) throws NotDer {
      Values issuerAndNumber = identifier.in(Der.SEQUENCE);
      return Arrays.equals(
              issuerAndNumber.take().encoded(), certificate.getIssuerX500Principal().getEncoded())
          && issuerAndNumber.take().integer().equals(certificate.getSerialNumber());
    }

    /** Whether the signed attributes have the digest of this certificate (RFC 5035). */
    private boolean isNamed(X509Certificate certificate) throws NotDer, GeneralSecurityException {
      Optional<Der> newer = attribute(SIGNING_CERTIFICATE_V2);
      Der named =
          (newer.isPresent() ? newer : attribute(SIGNING_CERTIFICATE))
              .orElseThrow(() -> lacks("which certificate it is by"));
      Values first = named.in(Der.SEQUENCE).take().in(Der.SEQUENCE).take().in(Der.SEQUENCE);
      String kind =
          newer.isEmpty()
              ? "SHA-1"
              : first.hasNext(Der.SEQUENCE) ? digest(first.take()) : "SHA-256";
      return Arrays.equals(
          MessageDigest.getInstance(kind).digest(certificate.getEncoded()),
          first.take().content(Der.OCTETS));
    }

    private boolean isSignedBy(X509Certificate certificate)
        throws NotDer, GeneralSecurityException {
      String oid = algorithm.take().oid();
      Signature verification =
          Signature.getInstance(oid.equals(RSA) ? digest.replace("-", "") + "withRSA" : oid);
      if (oid.equals(RSA_PSS)) {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
        try {
          parameters.init(algorithm.take().encoded());
        } catch (IOException _) {
          throw new NotDer("the parameters of its signature cannot be read");
        }
        verification.setParameter(parameters.getParameterSpec(PSSParameterSpec.class));
      }
      verification.initVerify(certificate);
      verification.update(attributes.retagged(Der.SET));
      return verification.verify(signature);
    }
  }
}
