//! Encryption with the certificates of a cluster: TLS 1.3, and both sides show a certificate of the same authority.
//!
//! Names in certificates are not compared with addresses, as in Dask: workers come and go, and one certificate serves all.
//! The authority is what counts, and the secret of the fit on top of it.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::version::TLS13;
use rustls::{
    CertificateError, ClientConfig, ClientConnection, Connection, DigitallySignedStruct, RootCertStore, ServerConfig,
    ServerConnection, SignatureScheme,
};
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// The certificates of a process, ready for both sides of a connection.
#[derive(Clone, Debug)]
pub struct Certificates {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
}

impl Certificates {
    /// Reads PEM texts: the certificate with the chain that belongs to it, its key, and the authority.
    pub fn from_pem(certificate: &[u8], key: &[u8], authority: &[u8]) -> io::Result<Certificates> {
        let provider = Arc::new(ring::default_provider());
        let chain = read_chain(certificate, "certificate")?;
        let private = || PrivateKeyDer::from_pem_slice(key).map_err(|error| bad("private key", &error));
        let mut roots = RootCertStore::empty();
        for root in read_chain(authority, "certificate of the authority")? {
            roots.add(root).map_err(|error| bad("certificate of the authority", &error))?;
        }
        let roots = Arc::new(roots);
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider)).build();
        let servers = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build();
        let authority = |error| bad("certificate of the authority", &error);
        let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])
            .map_err(|error| bad("protocol", &error))?
            .with_client_cert_verifier(clients.map_err(authority)?)
            .with_single_cert(chain.clone(), private()?)
            .map_err(|error| bad("certificate or private key", &error))?;
        // Connections are never resumed.
        server.send_tls13_tickets = 0;
        let client = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])
            .map_err(|error| bad("protocol", &error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyName(servers.map_err(authority)?, provider)))
            .with_client_auth_cert(chain, private()?)
            .map_err(|error| bad("certificate or private key", &error))?;
        Ok(Certificates { client: Arc::new(client), server: Arc::new(server) })
    }

    /// The side of a connection that has listened.
    pub(crate) fn listening(&self) -> io::Result<Session> {
        let connection = ServerConnection::new(Arc::clone(&self.server)).map_err(io::Error::other)?;
        Ok(Session(connection.into()))
    }

    /// The side that has connected.
    pub(crate) fn connecting(&self) -> io::Result<Session> {
        let name = ServerName::try_from("treewright").map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::clone(&self.client), name).map_err(io::Error::other)?;
        Ok(Session(connection.into()))
    }
}

fn read_chain(pem: &[u8], what: &str) -> io::Result<Vec<CertificateDer<'static>>> {
    let chain =
        CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>().map_err(|error| bad(what, &error))?;
    if chain.is_empty() { Err(bad(what, &"there is none")) } else { Ok(chain) }
}

fn bad(what: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the {what} cannot be used: {error}"))
}

/// Accepts a certificate of the authority whatever name is in it.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>, Arc<CryptoProvider>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.1.signature_verification_algorithms.supported_schemes()
    }
}

/// One encrypted connection, over a socket that never waits.
pub struct Session(Connection);

impl Session {
    /// Reads what has arrived and could be decrypted; 0 where the other side has closed the connection.
    pub fn read(&mut self, mut stream: &TcpStream, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.reader().read(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => return result,
            }
            if self.0.read_tls(&mut stream)? == 0 {
                return Ok(0);
            }
            let result = self.0.process_new_packets();
            // What the other side must know, such as why it is refused, leaves in any case.
            match self.flush(stream) {
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                _ => result.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?,
            };
        }
    }

    /// Encrypts as much as there is room for, and sends what the socket takes.
    pub fn write(&mut self, stream: &TcpStream, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        if !self.0.is_handshaking() {
            self.flush(stream)?;
        }
        let count = self.0.writer().write_vectored(parts)?;
        match self.flush(stream) {
            Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
            _ if count == 0 => Err(ErrorKind::WouldBlock.into()),
            _ => Ok(count),
        }
    }

    /// Sends everything that is encrypted.
    pub fn flush(&mut self, mut stream: &TcpStream) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(&mut stream)?;
        }
        Ok(())
    }
}
