package gatebook.api.timestamp;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The certificates of those whom a reader trusts to name authorities for timestamps. Whether a
 * certificate was revoked is not looked up.
 */
public final class TrustedAuthorities {
  private final Set<TrustAnchor> anchors;
  private final List<X509Certificate> certificates;

  private TrustedAuthorities(List<X509Certificate> certificates) {
    this.certificates = certificates;
    this.anchors = new HashSet<>();
    certificates.forEach(it -> anchors.add(new TrustAnchor(it, null)));
  }

  /** The certificates in a file, in PEM or DER; empty when there are none. */
  public static Optional<TrustedAuthorities> of(byte[] file) {
    try {
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(file))
              .stream()
              .filter(X509Certificate.class::isInstance)
              .map(X509Certificate.class::cast)
              .toList();
      return certificates.isEmpty()
          ? Optional.empty()
          : Optional.of(new TrustedAuthorities(certificates));
    } catch (CertificateException _) {
      return Optional.empty();
    }
  }

  /** Whether the certificate of a token's signer was good at the time of the token. */
  public boolean trust(TimestampToken token) {
    Date at = Date.from(token.at());
    try {
      if (certificates.contains(token.signer())) {
        token.signer().checkValidity(at);
        return true;
      }
      X509CertSelector signer = new X509CertSelector();
      signer.setCertificate(token.signer());
      PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, signer);
      parameters.addCertStore(
          CertStore.getInstance(
              "Collection", new CollectionCertStoreParameters(token.certificates())));
      parameters.setDate(at);
      parameters.setRevocationEnabled(false);
      var _ = CertPathBuilder.getInstance("PKIX").build(parameters);
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
