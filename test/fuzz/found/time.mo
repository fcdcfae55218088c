// seed 7, case 3172: `time` in a function, which an interpreter does not know, ended the export.
model Conversion
  function fromRpm
    input Real n;
    output Real w;
  algorithm
    w := n*0.1*time;
  end fromRpm;
  Real n = 3000;
  Real w = fromRpm(n);
end Conversion;
