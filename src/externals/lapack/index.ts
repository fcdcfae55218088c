/** The functions of LAPACK and BLAS that the Modelica Standard Library declares (E. Anderson et al.: LAPACK Users' Guide, 1999), for matrices of moderate size. */
import type { Externals } from '../../symbolic/foreign.ts';
import { eigen } from './eigen.ts';
import { lu } from './lu.ts';
import { pencils } from './pencil.ts';
import { qr } from './qr.ts';
import { schur } from './schur.ts';
import { svd } from './svd.ts';
import { sylvesters } from './sylvester.ts';

export const lapack: Externals = { ...lu, ...qr, ...svd, ...schur, ...eigen, ...sylvesters, ...pencils };
